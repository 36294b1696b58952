/** What to try when nothing was found: first the query loosened in the ways that it allows, then general advice. */

export interface Advice {
  text: string;
  /** A query to follow at once. */
  query?: string;
}

const LOOSER: readonly { text: string; loosen(query: string): string }[] = [
  { text: 'Search without the quotes', loosen: withoutQuotes },
  { text: 'Search on all sites', loosen: (query) => query.replace(/(^|\s)-?site:\S*/gi, ' ') },
  { text: 'Leave no word out', loosen: (query) => query.replace(/(^|\s)-("[^"]*"?|\S+)/g, ' ') },
];

export function searchAdvice(query: string, docCount: number): Advice[] {
  if (docCount === 0) return [{ text: 'The index is still empty. Try again in a moment.' }];
  const looser = LOOSER.map(({ text, loosen }) => ({
    text,
    query: loosen(query).replace(/\s+/g, ' ').trim(),
  }));
  return [
    ...looser.filter((advice) => advice.query !== '' && advice.query !== query),
    { text: 'Check the spelling.' },
    { text: 'Use fewer words, or more general ones.' },
  ];
}

/** The quotes of a phrase that is to be left out hold it together; they stay. */
function withoutQuotes(query: string): string {
  return query.replace(/(-"[^"]*"?)|"/g, (_match, leftOut: string | undefined) => leftOut ?? ' ');
}
