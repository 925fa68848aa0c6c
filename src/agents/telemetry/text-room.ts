import { cut, startAndEnd } from "../../results/cut-text.ts";

/** Characters of one piece of text that a record keeps. */
const mostPerPiece = 200_000;
/** Of all pieces of a turn; later ones are cut short, so that an agent that never stops talking fills no memory. */
const mostPerTurn = 20_000_000;
const shortPiece = 500;

/** Hands out room for the texts of a turn. */
export class TextRoom {
  #left = mostPerTurn;

  /** What the model wrote: its beginning. */
  text(text: string): string {
    return this.#take(cut(text, this.#limit()));
  }

  /** What a tool gave: beginning and end. */
  result(text: string): string {
    const limit = this.#limit();
    return this.#take(text.length <= limit ? text : startAndEnd(text, limit));
  }

  #limit(): number {
    return Math.max(shortPiece, Math.min(mostPerPiece, this.#left));
  }

  #take(text: string): string {
    this.#left = Math.max(0, this.#left - text.length);
    return text;
  }
}
