/**
 * The interface of an answer box. A box receives a query, says whether it may have an answer, and finds the
 * answer.
 *
 * An answer is data, never markup: lines of plain text, facts and links. The code that displays an answer
 * must escape it. An answer always has a source and a time.
 */

import type { FamilyLevel } from '../query/mod.ts';
import type { SiteRule } from '../url/mod.ts';
import type { AnswerWords } from './messages/mod.ts';

/** The input of an answer box in addition to the query. */
export interface AnswerContext {
  /** The current time in milliseconds since 1970. */
  now: number;
  /** The messages in the language of the searcher, for texts that a box writes. */
  words: AnswerWords;
  /**
   * The location of the searcher in degrees. Present only if the searcher allowed the browser to share it.
   */
  place?: SearcherPlace;
  /** The searcher's rules for sites; absent if there are none. */
  siteRules?: readonly SiteRule[];
  /** The level of the searcher's family filter; absent for the default level of the index. */
  family?: FamilyLevel;
}

export interface SearcherPlace {
  latitude: number;
  longitude: number;
}

type AnswerKind =
  | 'calculation'
  | 'conversion'
  | 'time'
  | 'weather'
  | 'knowledge'
  | 'site'
  | 'news'
  | 'shopping';

export interface Answer {
  kind: AnswerKind;
  /** The answer or its subject: `42`, `Weather in Lisbon`. */
  title: string;
  /** A paragraph below the title; empty if the title is enough. */
  text: string;
  facts: Fact[];
  links: AnswerLink[];
  source: Source;
  /** The time at which the answer was known to be true, in ISO 8601. */
  time: string;
}

export interface Fact {
  name: string;
  value: string;
}

export interface AnswerLink {
  title: string;
  url: string;
  /** The text beside the link, such as the publisher, or the price and the shop. */
  detail: string;
  /** The date in the format of the searcher's language; absent if there is none. */
  day?: string;
}

interface Source {
  name: string;
  /** The URL of the source; empty for computed answers. */
  url: string;
}

export interface AnswerBox {
  name: string;
  /** How long an answer may be cached; 0 for boxes that compute their answer at once. */
  cacheMs: number;
  /** Returns true if `answer` is worth calling. The check is cheap and does no I/O. */
  matches(query: string, context: AnswerContext): boolean;
  /** Returns true if the box could answer more if it knew the searcher's location. */
  wantsPlace?(query: string): boolean;
  /** Finds the answer; null if there is none. It may throw, and should end soon after `signal` is aborted. */
  answer(query: string, context: AnswerContext, signal: AbortSignal): Promise<Answer | null> | Answer | null;
}

/** Creates the answer of a box that computes it on this machine. */
export function computed(
  kind: AnswerKind,
  title: string,
  text: string,
  { now, words }: AnswerContext,
): Answer {
  return {
    kind,
    title,
    text,
    facts: [],
    links: [],
    source: { name: words.text('computed'), url: '' },
    time: new Date(now).toISOString(),
  };
}
