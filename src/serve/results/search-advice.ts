/** Suggests other queries for a search without results, for example the query without its quotes. */
import type { MessageKey } from '../messages/mod.ts';

interface Advice {
  /** The UI message that describes the change of the query. */
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

/** Removes the quotes of a query, except for quotes around an excluded phrase. */
function withoutQuotes(query: string): string {
  return query.replace(/(-"[^"]*"?)|"/g, (_match, leftOut: string | undefined) => leftOut ?? ' ');
}
