/** What a trap is called, and the rule that would keep a crawl out of it. */
import type { CanonicalUrl } from '../../url/mod.ts';

export type TrapKind =
  /** The same path segments again and again. */
  | 'repeating-path'
  /** More path segments or parameters than a page's address has. */
  | 'endless-url'
  /** A parameter given twice with the same value, or many times. */
  | 'repeating-parameter'
  /** Filters that combine without end. */
  | 'facets'
  /** A parameter that changes the address and never the page. */
  | 'idle-parameter'
  /** Months and days before and after any real event. */
  | 'calendar'
  /** Many addresses of one form with nearly the same text. */
  | 'same-pages';

/** What an operator would write to stop it; `value` is matched with path and query on this host. */
export type TrapRule =
  | { verb: 'ignore'; match: 'prefix' | 'regexp'; value: string }
  | { verb: 'strip'; parameter: string };

export interface Trap {
  kind: TrapKind;
  /** The form of the addresses, with stars for what varies. */
  pattern: string;
  rule: TrapRule;
}

export interface Assessment {
  /** Null: fetch it. */
  trap: Trap | null;
  /** The address to take in its place, if the trap is only in how it is written. */
  instead: CanonicalUrl | null;
}

export const CLEAR: Assessment = Object.freeze({ trap: null, instead: null });
