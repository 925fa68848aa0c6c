// Run as a program: import-probe.ts ROOT MODULE…  Imports each module and tells on standard output what that did to the
// process. Reads of the environment count only where a frame of the stack lies in src/: packages read it as they like.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [root = "", ...modules] = process.argv.slice(2);
const ours = pathToFileURL(join(root, "src")).href;
const findings: string[] = [];

function note(key: string | symbol): void {
  const frame = new Error().stack?.split("\n").find((line) => line.includes(ours));
  if (frame !== undefined) findings.push(`${String(key)} is read ${frame.trim()}`);
}

process.env = new Proxy(process.env, {
  get: (target, key, receiver) => {
    note(key);
    return Reflect.get(target, key, receiver);
  },
  has: (target, key) => {
    note(key);
    return Reflect.has(target, key);
  },
  ownKeys: (target) => {
    note("every variable");
    return Reflect.ownKeys(target);
  },
});

const listeners = () => process.eventNames().map((name) => `${String(name)}: ${process.listenerCount(name)}`);
const before = new Set(listeners());
for (const path of modules) await import(pathToFileURL(join(root, path)).href);
findings.push(...listeners().filter((line) => !before.has(line)));
process.stdout.write(JSON.stringify({ imported: modules.length, findings }));
