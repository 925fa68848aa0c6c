import { createInterface } from "node:readline";

/** Asks a person for a yes or no. Anything but a yes, the end of the input and Ctrl-C are a no. */
export function ask(question: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  const prompt = createInterface({ input, output });
  return new Promise((answered) => {
    prompt.once("close", () => answered(false));
    prompt.question(`${question} [y/N] `, (answer) => {
      answered(/^y(?:es)?$/i.test(answer.trim()));
      prompt.close();
    });
  });
}
