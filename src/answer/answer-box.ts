/**
 * The interface of an answer box: a box receives a query, says whether it may have an answer, and finds it.
 *
 * An answer is data, never markup: lines of plain text, facts, links. The code that displays it must escape
 * it. It always has a source and a time.
 */

import type { SiteRule } from '../url/mod.ts';
import type { AnswerWords } from './messages/mod.ts';

/** Everything that a box may use besides the query. */
export interface AnswerContext {
  /** Milliseconds since 1970. */
  now: number;
  /** Messages in the searcher's language, for texts that a box writes itself. */
  words: AnswerWords;
  /** Location of the searcher in degrees; present only if the searcher allowed the browser to share it. */
  place?: SearcherPlace;
  /** The searcher's rules for sites; absent if there are none. */
  siteRules?: readonly SiteRule[];
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
  /** The answer itself, or its subject: `42`, `Weather in Lisbon`. */
  title: string;
  /** One paragraph; empty if the title is enough. */
  text: string;
  facts: Fact[];
  links: AnswerLink[];
  source: Source;
  /** ISO 8601: the time at which the answer was true. */
  time: string;
}

export interface Fact {
  name: string;
  value: string;
}

export interface AnswerLink {
  title: string;
  url: string;
  /** Text beside the link, such as the publisher, or the price and the shop. */
  detail: string;
  /** The day in the format of the searcher's language; absent if there is none. */
  day?: string;
}

interface Source {
  name: string;
  /** Empty for computed answers. */
  url: string;
}

export interface AnswerBox {
  name: string;
  /** How long an answer may be cached; 0 for boxes that compute their answer immediately. */
  cacheMs: number;
  /** A cheap check without I/O: returns true if `answer` is worth calling. */
  matches(query: string, context: AnswerContext): boolean;
  /** Returns true if the box could answer more if it knew the searcher's location. */
  wantsPlace?(query: string): boolean;
  /** Returns null if there is no answer. May throw; should end soon after `signal` is aborted. */
  answer(query: string, context: AnswerContext, signal: AbortSignal): Promise<Answer | null> | Answer | null;
}

/** Creates an answer that was computed on this machine. */
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
