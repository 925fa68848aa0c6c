/** Equal to package.json's version; a test keeps it so. */
export const version = "0.1.0";
