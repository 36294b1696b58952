/** What the index itself can tell to the reading of a query: words that begin so, words that tell a page from others. */
import type { IndexReader, OpenSegment } from '../index/mod.ts';
import { inverseDocumentFrequency } from '../rank/mod.ts';
import { stemmingOf, termOf, tokenize } from '../text/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { reading } from './errors.ts';
import type { LinkLookup, QueryLookups } from './lookups.ts';
import type { Synonyms } from './synonyms/synonyms.ts';

const TELLING_WORDS = 16;
/** Of a very long page the beginning tells what it is about. */
const TELLING_LENGTH = 50_000;

export function lookupsIn(
  index: IndexReader,
  links: LinkLookup | null,
  synonyms: Pick<Synonyms, 'of'> | null,
): QueryLookups {
  const known = new Map<CanonicalUrl, string[]>();
  return {
    get hasLinks() {
      return links?.hasLinks ?? false;
    },
    wordsBeginning: (prefix, limit) => index.termsWithPrefix(prefix, limit).map(({ word }) => word),
    synonymsOf: (word) => synonyms?.of(word) ?? [],
    linksTo: (url) => links?.linksTo(url) ?? [],
    documentOf: (url) => (isLive(index.segments, url) ? url : (links?.documentOf(url) ?? null)),
    tellingWords: (url) => {
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

/** By frequency in the page times rarity in the index; words that only this page has lead nowhere. */
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

/** Of each term of a page, how often it is there and the first word that it stands as; none if there is no such page. */
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
