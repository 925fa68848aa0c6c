// A plan knows by the same list which files a template brings.
export { createIgnore } from "../../plan/files/ignore-list.ts";
