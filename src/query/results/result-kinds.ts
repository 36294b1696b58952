/** Finds the kinds of documents, such as news, among the best matches. The results page has a tab for each kind. */
import { DocumentKind, formatOf, kindOf } from '../../index/mod.ts';
import type { CandidateList } from './candidate-list.ts';

/**
 * Returns the kinds of the first `count` matches; a kind that occurs only further down is not worth a tab. Adds
 * feeds if `hasFeeds` is true (the index has feeds), because most queries do not match feeds.
 */
export function kindsAmong(list: CandidateList, count: number, hasFeeds: boolean): string[] {
  const types = new Set<string>();
  let last: string | null = null;
  for (let at = 0; at < count; at++) {
    const type = list.typeOf(at);
    if (type !== last) types.add(type);
    last = type;
  }
  const kinds = new Set([...types].flatMap((type) => [formatOf(type), kindOf(type)]));
  if (hasFeeds) kinds.add(DocumentKind.feed);
  return [...kinds].filter((kind) => kind !== '').sort();
}
