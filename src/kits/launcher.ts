import type { KitPrograms } from "./manifest.ts";

/**
 * The script `bin/<name>` of a kit. It finds its kit by its own path, also behind links, with nothing but a POSIX shell
 * (`readlink` only where it was reached by a link), so that a kit may lie anywhere and be read-only.
 */
export function launcherText({ entry, node }: KitPrograms): string {
  const program = node === undefined ? [entry] : [node, entry];
  return `#!/bin/sh
self=$0
case $self in
  */*) ;;
  *) self=$(command -v -- "$self") ;;
esac
links=0
while [ -L "$self" ] && [ "$links" -lt 20 ]; do
  target=$(readlink "$self") || break
  case $target in
    /*) self=$target ;;
    *) self=\${self%/*}/$target ;;
  esac
  links=$((links + 1))
done
modules=\${self%/*}/../node_modules
exec ${program.map((path) => `"$modules/${path}"`).join(" ")} "$@"
`;
}
