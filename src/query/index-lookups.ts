/** What the index itself can tell to the reading of a query: words that begin so, words that tell a page from others. */
import type { IndexReader, OpenSegment } from '../index/mod.ts';
import { inverseDocumentFrequency } from '../rank/mod.ts';
import { tokenize } from '../text/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { reading } from './errors.ts';
import type { LinkLookup, QueryLookups } from './lookups.ts';

/** Of a dictionary; a prefix with more words than that is not meant to be searched for. */
const MAX_TERMS_SEEN = 20_000;
const TELLING_WORDS = 16;
/** Of a very long page the beginning tells what it is about. */
const TELLING_LENGTH = 50_000;

export function lookupsIn(index: IndexReader, links: LinkLookup | null): QueryLookups {
  return {
    get hasLinks() {
      return links?.hasLinks ?? false;
    },
    wordsBeginning: (prefix, limit) => wordsBeginning(index.segments, prefix, limit),
    linksTo: (url) => links?.linksTo(url) ?? [],
    tellingWords: (url) => tellingWords(index.segments, url),
  };
}

function wordsBeginning(segments: readonly OpenSegment[], prefix: string, limit: number): string[] {
  const counts = new Map<string, number>();
  for (const segment of segments) reading(segment, () => countBeginning(segment, prefix, counts));
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([term]) => term);
}

function countBeginning({ reader }: OpenSegment, prefix: string, counts: Map<string, number>): void {
  let seen = 0;
  for (const { term, docCount } of reader.terms(prefix)) {
    if (!term.startsWith(prefix) || ++seen > MAX_TERMS_SEEN) return;
    counts.set(term, (counts.get(term) ?? 0) + docCount);
  }
}

/** By frequency in the page times rarity in the index; words that only this page has lead nowhere. */
function tellingWords(segments: readonly OpenSegment[], url: CanonicalUrl): string[] {
  const docCount = segments.reduce((sum, { reader }) => sum + reader.docCount, 0);
  const scored = [...countsOf(textOf(segments, url))].flatMap(([term, count]) => {
    const docsWith = segments.reduce((sum, segment) => sum + docsIn(segment, term), 0);
    if (docsWith < 2) return [];
    return [{ term, score: (1 + Math.log(count)) * inverseDocumentFrequency(docCount, docsWith) }];
  });
  scored.sort((a, b) => b.score - a.score || (a.term < b.term ? -1 : 1));
  return scored.slice(0, TELLING_WORDS).map(({ term }) => term);
}

function textOf(segments: readonly OpenSegment[], url: CanonicalUrl): string {
  const key = fingerprint(url);
  for (const segment of segments) {
    const doc = segment.reader.findDocument(key);
    if (doc < 0 || segment.deletes.has(doc)) continue;
    const { title, text } = reading(segment, () => segment.reader.document(doc));
    return `${title}\n${text.slice(0, TELLING_LENGTH)}`;
  }
  return '';
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  tokenize(text, (term) => counts.set(term, (counts.get(term) ?? 0) + 1));
  return counts;
}

function docsIn(segment: OpenSegment, term: string): number {
  return reading(segment, () => segment.reader.findTerm(term)?.docCount ?? 0);
}
