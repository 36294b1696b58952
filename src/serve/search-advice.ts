/** What to try when nothing was found: the query loosened in the ways that it allows. */
import type { MessageKey } from './words/words.ts';

export interface Advice {
  /** The message that says what it does. */
  key: MessageKey;
  query: string;
}

const LOOSER: readonly { key: MessageKey; loosen(query: string): string }[] = [
  { key: 'nothing.withoutQuotes', loosen: withoutQuotes },
  { key: 'nothing.allSites', loosen: (query) => query.replace(/(^|\s)-?site:\S*/gi, ' ') },
  { key: 'nothing.nothingLeftOut', loosen: (query) => query.replace(/(^|\s)-("[^"]*"?|\S+)/g, ' ') },
];

export function searchAdvice(query: string): Advice[] {
  return LOOSER.map(({ key, loosen }) => ({ key, query: loosen(query).replace(/\s+/g, ' ').trim() })).filter(
    (advice) => advice.query !== '' && advice.query !== query,
  );
}

/** The quotes of a phrase that is to be left out hold it together; they stay. */
function withoutQuotes(query: string): string {
  return query.replace(/(-"[^"]*"?)|"/g, (_match, leftOut: string | undefined) => leftOut ?? ' ');
}
