import { createInterface } from "node:readline";
import { InterruptedError } from "../errors.ts";

export interface AskStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Aborted by a signal that ends the process. */
  readonly signal: AbortSignal;
}

/**
 * Asks a person for a yes or no. Anything but a yes, and the end of the input, are a no.
 * @throws InterruptedError on Ctrl-C, and when `signal` is aborted
 */
export function ask(question: string, { input, output, signal }: AskStreams): Promise<boolean> {
  const prompt = createInterface({ input, output });
  return new Promise<boolean>((answered, failed) => {
    let isAnswered = false;
    const stop = (): void => {
      failed(new InterruptedError("stopped at the question; nothing was run"));
      prompt.close();
    };
    signal.addEventListener("abort", stop, { once: true });
    prompt.once("SIGINT", stop);
    prompt.once("close", () => {
      signal.removeEventListener("abort", stop);
      // Whatever is written next begins a line of its own.
      if (!isAnswered) output.write("\n");
      answered(false);
    });
    prompt.question(`${question} [y/N] `, (answer) => {
      isAnswered = true;
      answered(/^y(?:es)?$/i.test(answer.trim()));
      prompt.close();
    });
    if (signal.aborted) stop();
  });
}
