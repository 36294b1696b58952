/**
 * Notes to the visitor about how a query was read or answered, as codes with values. `serve/` and `cli/` render them
 * as text.
 */

export type QueryNote =
  /** A malformed part of the query was read as plain words. */
  | { code: 'plain-words'; values: { text: string } }
  /** The query consists of exclusions only, such as `-cat`. */
  | { code: 'only-excluding'; values: NoValues }
  /**
   * A prefix (`prefix-words`) or a single character at the end of a phrase (`pair-words`) matches more words of the
   * index than `number`, the maximum that is searched for.
   */
  | { code: 'prefix-words' | 'pair-words'; values: { text: string; number: number } }
  | { code: 'too-many-words' | 'too-deep' | 'list-limit'; values: { number: number } }
  /** The query uses the field named in `text`, such as `link`, but there is no link graph. */
  | { code: 'no-links'; values: { text: string } }
  /**
   * `unlinked-page`: no link to the page after `link:` is known. `unknown-page`: the page after `related:` is not in
   * the index.
   */
  | { code: 'unlinked-page' | 'unknown-page'; values: { text: string } }
  /**
   * `foreign-cursor`: the cursor of the request belongs to another query. `index-changed`: it belongs to an
   * older state of the index.
   */
  | { code: 'foreign-cursor' | 'index-changed'; values: NoValues }
  /** A damaged segment was left out of the search. */
  | { code: 'damaged-index'; values: NoValues }
  /** A part of the index could not be reached. */
  | { code: 'absent-shard'; values: NoValues }
  /** The search was ended because it needed too much memory. */
  | { code: 'out-of-memory'; values: NoValues };

type NoValues = Readonly<Record<string, never>>;
