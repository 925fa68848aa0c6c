import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** What Python says to one question. */
export type Answer = { readonly value: unknown } | { readonly error: readonly [type: string, message: string] } | { readonly slow: true };

const script = join(import.meta.dirname, "../../fixtures/python/oracle.py");

/** The Python of this machine, as `3.11`, or undefined. `EVALBATCH_PYTHON` names another one than `python3`. */
export function pythonVersion(): string | undefined {
  const result = spawnSync(python(), ["-c", "import sys; print('%d.%d' % sys.version_info[:2])"], { encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** Asks Python all questions at once; see `oracle.py` for what can be asked. */
export function askPython(questions: readonly (readonly unknown[])[]): Answer[] {
  const input = questions.map((question) => JSON.stringify(question)).join("\n");
  const result = spawnSync(python(), [script], { input, encoding: "utf8", maxBuffer: 1 << 30 });
  if (result.status !== 0) throw new Error(`python: ${result.stderr}`);
  const answers: Answer[] = result.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line.replaceAll(/-?Infinity/g, (word) => (word.startsWith("-") ? "-1e999" : "1e999"))));
  if (answers.length !== questions.length) throw new Error(`${answers.length} answers to ${questions.length} questions`);
  return answers;
}

function python(): string {
  return process.env.EVALBATCH_PYTHON ?? "python3";
}
