/** An expression that does not parse, or a function that got what it does not take; the message is the one of Python's `jmespath`. */
export class JmespathError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JmespathError";
  }
}
