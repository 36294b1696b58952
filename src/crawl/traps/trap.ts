/** The kinds of traps, and the URL rule that would keep a crawl out of one. */
import type { CanonicalUrl } from '../../url/mod.ts';

type TrapKind =
  /** The same path segments again and again. */
  | 'repeating-path'
  /** More path segments or parameters than real URLs have. */
  | 'endless-url'
  /** A parameter given twice with the same value, or many times. */
  | 'repeating-parameter'
  /** Filters that combine without end. */
  | 'facets'
  /** A parameter that changes the URL and never the page. */
  | 'idle-parameter'
  /** Months and days far from any real event. */
  | 'calendar'
  /** Many URLs of one pattern with nearly the same text. */
  | 'same-pages'
  /** Every page links to newly generated URLs: the host has a lower budget. */
  | 'open-ended';

/**
 * The rule that an operator would write against the trap; `value` is matched with path and query on this
 * host.
 */
export type TrapRule =
  | { verb: 'ignore'; match: 'prefix' | 'regexp'; value: string }
  | { verb: 'strip'; parameter: string };

export interface Trap {
  kind: TrapKind;
  /** The pattern of the URLs, with stars for variable parts. */
  pattern: string;
  rule: TrapRule;
}

export interface Assessment {
  /** Null if the URL is not a trap and may be fetched. */
  trap: Trap | null;
  /** The URL to fetch instead, if only the spelling of the URL is the trap. */
  replacementUrl: CanonicalUrl | null;
}

export const CLEAR: Assessment = Object.freeze({ trap: null, replacementUrl: null });
