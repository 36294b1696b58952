/** Suggestions for a search without results: the query loosened in the ways that it allows. */
import type { MessageKey } from '../messages/mod.ts';

interface Advice {
  /** The message that describes the change. */
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

/** Quotes around an excluded phrase stay, because they hold it together. */
function withoutQuotes(query: string): string {
  return query.replace(/(-"[^"]*"?)|"/g, (_match, leftOut: string | undefined) => leftOut ?? ' ');
}
