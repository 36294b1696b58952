/** The types of traps, and for each trap a URL rule that would exclude it from a crawl. */
import type { CanonicalUrl } from '../../url/mod.ts';

type TrapKind =
  /** The path repeats the same segments, as in `/a/b/a/b/a/b/`. */
  | 'repeating-path'
  /** The URL has more path segments or parameters than real URLs have. */
  | 'endless-url'
  /** A parameter occurs twice with the same value, or many times. */
  | 'repeating-parameter'
  /** Filter parameters can be combined without end. */
  | 'facets'
  /** A parameter changes the URL but never the page. */
  | 'idle-parameter'
  /** Calendar pages that are far from any real event. */
  | 'calendar'
  /** Many URLs of one pattern have nearly the same text. */
  | 'same-pages'
  /** Every page links to newly generated URLs. The host has a lower page budget. */
  | 'open-ended';

/**
 * The URL rule that an operator would write to exclude the trap. `value` is matched with path and query on this host.
 */
export type TrapRule =
  | { verb: 'ignore'; match: 'prefix' | 'regexp'; value: string }
  | { verb: 'strip'; parameter: string };

export interface Trap {
  kind: TrapKind;
  /** The pattern of the URLs in the trap, with stars for variable text. */
  pattern: string;
  rule: TrapRule;
}

export interface Assessment {
  /** The trap that the URL leads into; null if the URL may be fetched. */
  trap: Trap | null;
  /** The URL to fetch instead. It is null if the trap has no equivalent URL outside of it. */
  replacementUrl: CanonicalUrl | null;
}

export const CLEAR: Assessment = Object.freeze({ trap: null, replacementUrl: null });
