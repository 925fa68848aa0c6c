import { SandboxSetupError } from "../errors.ts";
import type { Kit } from "../kits/kit-recipe.ts";

/** Where musl has its dynamic loader. */
export const muslLoaders = ["/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-aarch64.so.1"];

/** The kernel says "not found" of a program that is there when its loader is not: better said before the agent starts. */
export function missingLoader(where: string, kit: Kit, hasMusl: boolean): SandboxSetupError {
  const what = hasMusl ? "musl libc" : `no glibc (there is no ${kit.loader})`;
  return new SandboxSetupError("image-libc", `${where} has ${what}, and the program of ${kit.name} ${kit.version} needs glibc`, {
    hint: "use a glibc image (Debian, Ubuntu, Fedora, …), or bring the agent in the image and set agent-version: image",
  });
}
