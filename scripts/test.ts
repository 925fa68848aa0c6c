import { spawnSync } from "node:child_process";

// `npm test [-- pattern…]`: Node's own runner on the TypeScript sources.
const patterns = process.argv.slice(2);
const files = patterns.length > 0 ? patterns : ["test/**/*.test.ts"];
const result = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...files], { stdio: "inherit" });
process.exitCode = result.status ?? 1;
