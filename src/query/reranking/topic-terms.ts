/**
 * Counts the terms at the beginning of documents, among which query expansion chooses.
 *
 * About 2,500 words are counted per query. Each different word is folded and stemmed only once, and the counts of a
 * document are cached for later queries.
 */
import { BoundedCache } from '../../base/mod.ts';
import type { DocId, OpenSegment } from '../../index/mod.ts';
import { STEMMINGS, type Stemming, stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import { reading } from '../errors.ts';
import { FUNCTION_WORDS } from '../terms/mod.ts';
import type { SegmentDoc } from './rerank.ts';

/** The different terms of a document without function words, and how often each occurs. */
interface CountedTerms {
  terms: readonly string[];
  counts: Uint16Array;
}

/** The number of characters that are read of a text, because its beginning shows its topic. */
const READ_CHARACTERS = 1000;
/** The maximum number of words that are cached per stemming, at about 150 bytes each. */
const MAX_WORDS = 50_000;
/** The number of cached documents per segment, at about 1 kB each. */
const MAX_DOCUMENTS = 2000;

const documents = new WeakMap<OpenSegment, BoundedCache<DocId, CountedTerms>>();

/**
 * Returns the terms at the beginning of a document. Returns the same object for the same document while it is
 * cached.
 */
export function topicTermsOf({ segment, doc }: SegmentDoc): CountedTerms {
  const kept = documents.get(segment) ?? BoundedCache.clearedWhenFull<DocId, CountedTerms>(MAX_DOCUMENTS);
  documents.set(segment, kept);
  return kept.remember(doc, () => {
    const opening = reading(segment, () => segment.reader.opening(doc, READ_CHARACTERS));
    const { title, text, language } = opening;
    return count(`${title}\n${text}`, stemmingOf(language));
  });
}

function count(text: string, stemming: Stemming): CountedTerms {
  const counts = new Map<string, number>();
  tokenize(text, (word) => {
    const term = topicTermOf(word, stemming);
    if (term !== null) counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  return { terms: [...counts.keys()], counts: Uint16Array.from(counts.values()) };
}

/** For each stemming, a cache that maps a word to its term, or to null if it is a function word. */
const known = STEMMINGS.map(() => BoundedCache.clearedWhenFull<string, string | null>(MAX_WORDS));

function topicTermOf(word: string, stemming: Stemming): string | null {
  const words = known[stemming]!;
  const held = words.get(word);
  if (held !== undefined) return held;
  const term = FUNCTION_WORDS.has(word) ? null : termOf(word, stemming);
  words.set(word, term);
  return term;
}
