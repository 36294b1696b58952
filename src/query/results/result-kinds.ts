/** Finds the kinds of documents among the best matches. The result page offers a tab for each. */
import { DocumentKind, formatOf, kindOf } from '../../index/mod.ts';
import type { CandidateList } from './candidate-list.ts';

/**
 * Considers only the first `count` matches; a kind that occurs only further down is not worth a tab. `hasFeeds` is
 * true if the index has feeds, which most queries do not match.
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
