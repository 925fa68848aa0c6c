import { createInterface } from "node:readline";
import { InterruptedError } from "../errors.ts";

/**
 * Asks a person for a yes or no. Anything but a yes, and the end of the input, are a no.
 * @throws InterruptedError on Ctrl-C
 */
export function ask(question: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  const prompt = createInterface({ input, output });
  return new Promise((answered, failed) => {
    prompt.once("SIGINT", () => {
      failed(new InterruptedError("stopped at the question; nothing was run"));
      output.write("\n");
      prompt.close();
    });
    prompt.once("close", () => answered(false));
    prompt.question(`${question} [y/N] `, (answer) => {
      answered(/^y(?:es)?$/i.test(answer.trim()));
      prompt.close();
    });
  });
}
