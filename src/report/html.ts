import { visibleText } from "../untrusted/characters.ts";

/** Markup that holds no live foreign text. Made by `html` only. */
export interface SafeHtml {
  readonly kind: "html";
  readonly markup: string;
}

type Piece = SafeHtml | string | number | readonly SafeHtml[];

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Markup written by us; texts in it are escaped, so they are safe between tags and in quoted attributes. */
export function html(template: TemplateStringsArray, ...values: readonly Piece[]): SafeHtml {
  let markup = template[0] ?? "";
  for (let i = 0; i < values.length; i += 1) markup += markupOf(values[i] ?? "") + (template[i + 1] ?? "");
  return { kind: "html", markup };
}

/** Printable ASCII needs no cleaning, and most texts are. */
const plainText = /^[\t\n -~]*$/;

function markupOf(piece: Piece): string {
  if (typeof piece === "number") return String(piece);
  if (typeof piece === "string")
    return (plainText.test(piece) ? piece : visibleText(piece)).replace(/[&<>"']/g, (found) => escapes[found] ?? "");
  return "kind" in piece ? piece.markup : piece.map((part) => part.markup).join("");
}
