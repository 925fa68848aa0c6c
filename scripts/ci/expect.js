// node scripts/ci/expect.js JSON|FILE WANT…: holds the fields of a JSON object, or of a file with one, against what is
// wanted of them. Used by workflows, so it runs on any Node and needs no package.
//   name=value   is that value        name!=value   is another one        name   is there and not empty
// Exit code 1, and a line for each field that is not as wanted.
import { readFileSync } from "node:fs";

const [source = "", ...wants] = process.argv.slice(2);
const fields = JSON.parse(source.startsWith("{") ? source : readFileSync(source, "utf8"));

let wrong = wants.length === 0 ? 1 : 0;
for (const want of wants) {
  const [, name, operator, value] = /^([\w-]+)(?:(!?=)(.*))?$/s.exec(want) ?? [];
  const found = String(fields[name] ?? "");
  const ok = operator === undefined ? found !== "" : (found === value) === (operator === "=");
  if (!ok) wrong += 1;
  process.stdout.write(`${ok ? "ok" : "WRONG"}: ${want}${ok ? "" : `, but it is ${JSON.stringify(found)}`}\n`);
}
process.exitCode = wrong === 0 ? 0 : 1;
