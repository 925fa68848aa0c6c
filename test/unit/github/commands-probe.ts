// Run as a program by commands.test.ts: says what the test asks for, so that the test sees the real standard output.
import { createCommands, groupLines } from "../../../src/github/commands.ts";
import { setOutputs, setSafeOutputs } from "../../../src/github/outputs.ts";

const [what = "", text = "", more = ""] = process.argv.slice(2);
const commands = createCommands("/w");

switch (what) {
  case "error":
    commands.error(text, { title: more, file: "/w/evals/a,b.yaml", line: 3, column: 2 });
    break;
  case "again":
    for (const message of [text, text, more, text]) commands.warning(message);
    commands.error(text);
    break;
  case "lines":
    commands.lines(text, more);
    break;
  case "group":
    process.stdout.write(`${groupLines(text, ["| inside"]).join("\n")}\n`);
    break;
  case "mask":
    commands.mask(text);
    break;
  case "outputs":
    setSafeOutputs();
    setOutputs({
      verdict: "passed",
      "run-dir": "/w/runs/x\ny",
      "run-json": "/w/runs/x/run.json",
      "tasks-run": "2",
      "tasks-succeeded": "2",
      "tasks-failed": "0",
      "tasks-error": "0",
      "tasks-not-run": "0",
      "pass-rate": "1",
      "artifact-id": "",
      "artifact-url": "",
      "artifact-digest": "",
      "comment-url": "",
    });
    break;
  default:
    throw new Error(`unknown request ${what}`);
}
