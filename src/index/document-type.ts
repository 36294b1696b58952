/**
 * What a document is: the format of its file, and behind a slash what kind of page it is, where that is known:
 * `html`, `pdf`, `html/news`. Both stand in one column of names, of which a segment has a dozen: a filter on either marks
 * the names that it lets through, and an index from before there were kinds reads the same.
 */

/** Written to segments; names never change their meaning. */
export const DocumentKind = { news: 'news', product: 'product', feed: 'feed' } as const;
export type DocumentKind = (typeof DocumentKind)[keyof typeof DocumentKind];

export function documentType(format: string, kind: DocumentKind | ''): string {
  return kind === '' ? format : `${format}/${kind}`;
}

export function formatOf(type: string): string {
  return type.split('/', 1)[0]!;
}

/** The empty string if it is of none. */
export function kindOf(type: string): string {
  return type.slice(formatOf(type).length + 1);
}
