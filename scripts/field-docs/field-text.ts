/**
 * What each field means, in a sentence or two, by dotted path; `<type>` is a kind of block, `[]` an entry of a list, `{}` a
 * value of a mapping. For editors and documents alike, so code between back-quotes and no other Markdown.
 */
export type FieldDocs = Readonly<Record<string, string>>;

export interface FoundText {
  /** In whose texts, and under which paths: for the test that nothing is stale. */
  readonly keys: readonly string[];
  readonly text: string;
}
