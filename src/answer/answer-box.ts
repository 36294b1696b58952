/**
 * What an answer box is: it looks at a query, says whether it could have an answer, and finds one.
 *
 * An answer is data, never markup: lines of plain text, facts, links. Whoever shows it escapes it. It always
 * says where it comes from and of when it is.
 */
import type { SiteRule } from '../query/mod.ts';
import type { AnswerWords } from './words/answer-words.ts';

/** What a box may know besides the query. */
export interface AnswerContext {
  /** Milliseconds since 1970. */
  now: number;
  /** Of the searcher's language; an answer speaks it where it says something of its own. */
  words: AnswerWords;
  /** Where the searcher is, in degrees; only if the browser was allowed to tell. */
  place?: Place;
  /** What the searcher thinks of sites; absent if nothing. */
  siteRules?: readonly SiteRule[];
}

export interface Place {
  latitude: number;
  longitude: number;
}

export type AnswerKind =
  | 'calculation'
  | 'conversion'
  | 'time'
  | 'weather'
  | 'knowledge'
  | 'news'
  | 'shopping';

export interface Answer {
  kind: AnswerKind;
  /** The answer itself, or what it is about: `42`, `Weather in Lisbon`. */
  title: string;
  /** One paragraph; empty if the title says it all. */
  text: string;
  facts: Fact[];
  links: AnswerLink[];
  source: Source;
  /** ISO 8601: of when the answer is. */
  time: string;
}

export interface Fact {
  name: string;
  value: string;
}

export interface AnswerLink {
  title: string;
  url: string;
  /** The paper, the price and its shop: whatever belongs beside the link. */
  detail: string;
  /** Its day, as the searcher's language writes it; absent if it has none. */
  day?: string;
}

export interface Source {
  name: string;
  /** Empty for what was computed here. */
  url: string;
}

export interface AnswerBox {
  name: string;
  /** For how long an answer may be given again; 0 for what costs nothing to find, and is told at once. */
  cacheMs: number;
  /** Cheap, and without asking anyone: whether it is worth a try. */
  matches(query: string, context: AnswerContext): boolean;
  /** Whether it could say more if it knew where the searcher is. */
  wantsPlace?(query: string): boolean;
  /** Null if there is none after all. May fail; should end soon once `signal` is aborted. */
  answer(query: string, context: AnswerContext, signal: AbortSignal): Promise<Answer | null> | Answer | null;
}

/** An answer that was worked out on this machine. */
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
