/**
 * The lookups that query parsing makes in the index and the link graph: words with a prefix, links to a page,
 * and the most characteristic words of a page.
 */
import type { IndexReader, OpenSegment } from '../../index/mod.ts';
import { inverseDocumentFrequency } from '../../scoring/mod.ts';
import { stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { Synonyms } from '../assistance/mod.ts';
import { type Deadline, NO_DEADLINE } from '../deadline.ts';
import { reading } from '../errors.ts';
import type { LinkLookup, QueryLookups } from '../language/mod.ts';

const TELLING_WORDS = 16;
/** Only the first characters of a very long page are used. */
const TELLING_LENGTH = 50_000;
/** Deadline steps for reading a whole page, and for each link to one. */
const PAGE_STEPS = 50_000;
const LINK_STEPS = 8;

export function lookupsIn(
  index: IndexReader,
  links: LinkLookup | null,
  synonyms: Pick<Synonyms, 'of'> | null,
  deadline: Deadline = NO_DEADLINE,
): QueryLookups {
  const onRead = (words: number) => deadline.require(words);
  const known = new Map<CanonicalUrl, string[]>();
  const linked = new Map<CanonicalUrl, CanonicalUrl[]>();
  return {
    get hasLinks() {
      return links?.hasLinks ?? false;
    },
    wordsBeginning: (prefix, limit, maxRead) =>
      index.termsWithPrefix(prefix, limit, { maxRead, onRead }).map(({ word }) => word),
    synonymsOf: (word) => synonyms?.of(word) ?? [],
    linksTo: (url) => {
      const sources = linked.get(url) ?? links?.linksTo(url) ?? [];
      linked.set(url, sources);
      deadline.require(LINK_STEPS * (1 + sources.length));
      return sources;
    },
    documentOf: (url) => (isLive(index.segments, url) ? url : (links?.documentOf(url) ?? null)),
    tellingWords: (url) => {
      deadline.require(known.has(url) ? 1 : PAGE_STEPS);
      const words = known.get(url) ?? tellingWords(index.segments, url);
      known.set(url, words);
      return words;
    },
  };
}

function isLive(segments: readonly OpenSegment[], url: CanonicalUrl): boolean {
  const key = fingerprint(url);
  return segments.some(({ reader, deletes }) => {
    const doc = reader.findDocument(key);
    return doc >= 0 && !deletes.has(doc);
  });
}

/**
 * Ranks words by frequency in the page times rarity in the index. Words that only this page has are left out.
 */
function tellingWords(segments: readonly OpenSegment[], url: CanonicalUrl): string[] {
  const docCount = segments.reduce((sum, { reader }) => sum + reader.docCount, 0);
  const scored = [...countsOf(segments, url)].flatMap(([term, { word, count }]) => {
    const docsWith = segments.reduce((sum, segment) => sum + docsIn(segment, term), 0);
    if (docsWith < 2) return [];
    return [{ word, score: (1 + Math.log(count)) * inverseDocumentFrequency(docCount, docsWith) }];
  });
  scored.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1));
  return scored.slice(0, TELLING_WORDS).map(({ word }) => word);
}

/**
 * Returns the count and the first written form of each term of a page; empty if the page is not in the index.
 */
function countsOf(
  segments: readonly OpenSegment[],
  url: CanonicalUrl,
): Map<string, { word: string; count: number }> {
  const counts = new Map<string, { word: string; count: number }>();
  const key = fingerprint(url);
  for (const segment of segments) {
    const doc = segment.reader.findDocument(key);
    if (doc < 0 || segment.deletes.has(doc)) continue;
    const { title, text, language } = reading(segment, () => segment.reader.document(doc));
    const stemming = stemmingOf(language);
    tokenize(`${title}\n${text.slice(0, TELLING_LENGTH)}`, (word) => {
      const term = termOf(word, stemming);
      const known = counts.get(term);
      if (known) known.count++;
      else counts.set(term, { word, count: 1 });
    });
    break;
  }
  return counts;
}

function docsIn(segment: OpenSegment, term: string): number {
  return reading(segment, () => segment.reader.findTerm(term)?.docCount ?? 0);
}
