/** Notes on how a query was read or answered, as data. `serve/` and `cli/` render them as text. */

export type QueryNote =
  /** A malformed part was read as plain words. */
  | { code: 'plain-words'; values: { text: string } }
  /** The query has nothing but exclusions. */
  | { code: 'only-excluding'; values: NoValues }
  /** A prefix, or the first half of a pair of characters, stands for more words than are used. */
  | { code: 'prefix-words' | 'pair-words'; values: { text: string; number: number } }
  | { code: 'too-many-words' | 'too-deep' | 'list-limit'; values: { number: number } }
  /** There is no link graph, which the field `text` needs. */
  | { code: 'no-links'; values: { text: string } }
  /** No link to a page is known, or the page is not in the index. */
  | { code: 'unlinked-page' | 'unknown-page'; values: { text: string } }
  /** The cursor is of another query, or of an older index. */
  | { code: 'foreign-cursor' | 'index-changed'; values: NoValues }
  /** A damaged segment was left out. */
  | { code: 'damaged-index'; values: NoValues }
  /** The query needed too much memory. */
  | { code: 'out-of-memory'; values: NoValues };

type NoValues = Readonly<Record<string, never>>;
