import { Composer, Document, Lexer, Parser, YAMLParseError } from "yaml";
import { YamlFaultError } from "./yaml-kinds.ts";
import { reindentFirstFailure } from "./yaml-reindent.ts";

/** Each construct that needs new indentation costs another parse of the whole: this many characters in all. */
const maxReparsed = 500_000;

/** Nodes take some 300 bytes per token: with this many, reading stays below 200 MB. A task file has a few hundred. */
const maxTokens = 300_000;

/** A shorter text cannot reach the limit, whatever is in it. */
const alwaysFine = maxTokens / 4;

/**
 * Refuses a text with more signs, words and line breaks than are read, before anything is built of them.
 * @throws YamlFaultError
 */
export function refuseTooManyTokens(text: string): void {
  if (text.length < alwaysFine) return;
  const tokens = new Lexer().lex(text);
  for (let count = 0; tokens.next().done !== true; count += 1) {
    if (count < maxTokens) continue;
    const message = `the file has more than ${maxTokens.toLocaleString("en-US")} values and signs`;
    throw new YamlFaultError({ code: "yaml-too-many", offset: 0, message, hint: "rows of a dataset may stand in a .jsonl file" });
  }
}

export interface Nodes {
  /** The text that was read in the end, with blanks put in. */
  readonly text: string;
  /** The first two at most: the second one is already an error. */
  readonly documents: readonly Document[];
  /** From the offsets in `text` to those in the original. */
  readonly originalOffset: (offset: number) => number;
}

/**
 * The nodes with their places: scalars stay text, since their meaning is PyYAML's and not this parser's.
 * @throws YamlFaultError where that makes too many tokens
 * @throws RangeError where the text is nested too deeply for the parser, which recurses
 */
export function parseNodes(original: string): Nodes {
  let text = original;
  let documents = parseDocuments(text);
  let originalOffset = (offset: number): number => offset;
  for (let reparsed = 0; reparsed < maxReparsed; reparsed += text.length) {
    const changed = reindentFirstFailure(text, documents);
    if (changed === undefined) break;
    const previous = originalOffset;
    originalOffset = (offset) => previous(changed.originalOffset(offset));
    text = changed.text;
    // What was cut off counted for less.
    refuseTooManyTokens(text);
    documents = parseDocuments(text);
  }
  return { text, documents, originalOffset };
}

function parseDocuments(text: string): readonly Document[] {
  const composer = new Composer({
    schema: "failsafe",
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const documents: Document[] = [];
  for (const document of composer.compose(new Parser().parse(text))) {
    document.errors = document.errors.filter(isRealError);
    documents.push(document);
    if (documents.length === 2) return documents;
  }
  if (documents.length > 0) return documents;
  // A stream without a document can hold errors too: a directive alone, for example.
  const document = new Document();
  document.errors.push(...composer.streamInfo().errors);
  if (/^%/m.test(text) && document.errors.length === 0) {
    document.errors.push(new YAMLParseError([0, 1], "MISSING_CHAR", "Directives without a document"));
  }
  return [document];
}

/** `"x"#c` and `[#c`: to PyYAML a comment begins there all the same. */
function isRealError(error: YAMLParseError): boolean {
  return !error.message.startsWith("Comments must be separated");
}
