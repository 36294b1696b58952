/**
 * Counts the terms at the beginning of documents, for query expansion.
 *
 * About 2,500 words are counted per query. Each different word is folded and stemmed once, and the counts of a
 * document are cached for later queries.
 */
import type { DocId, OpenSegment } from '../../index/mod.ts';
import { STEMMINGS, type Stemming, stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import { reading } from '../errors.ts';
import { FUNCTION_WORDS } from '../terms/mod.ts';
import type { SegmentDoc } from './rerank.ts';

/** The distinct terms of a document without function words, and the count of each. */
interface CountedTerms {
  terms: readonly string[];
  counts: Uint16Array;
}

/** The beginning of a long text shows its topic. */
const READ_CHARACTERS = 1000;
/** The number of different words that are cached, at about 150 bytes each; at the limit all are dropped. */
const MAX_WORDS = 100_000;
/** The number of cached documents per segment, at about 1 kB each. */
const MAX_DOCUMENTS = 2000;

const documents = new WeakMap<OpenSegment, Map<DocId, CountedTerms>>();

/** Returns the same object again for the same document while it is cached. */
export function topicTermsOf({ segment, doc }: SegmentDoc): CountedTerms {
  const kept = documents.get(segment) ?? new Map<DocId, CountedTerms>();
  const known = kept.get(doc);
  if (known) return known;
  const { title, text, language } = reading(segment, () => segment.reader.document(doc));
  const counted = count(`${title}\n${text.slice(0, READ_CHARACTERS)}`, stemmingOf(language));
  if (kept.size >= MAX_DOCUMENTS) kept.clear();
  documents.set(segment, kept.set(doc, counted));
  return counted;
}

function count(text: string, stemming: Stemming): CountedTerms {
  const counts = new Map<string, number>();
  tokenize(text, (word) => {
    const term = topicTermOf(word, stemming);
    if (term !== null) counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  return { terms: [...counts.keys()], counts: Uint16Array.from(counts.values()) };
}

/** Per stemming, the term of each word; null for a function word. */
const known = STEMMINGS.map(() => new Map<string, string | null>());
let wordCount = 0;

function topicTermOf(word: string, stemming: Stemming): string | null {
  const held = known[stemming]!.get(word);
  if (held !== undefined) return held;
  if (wordCount >= MAX_WORDS) {
    for (const words of known) words.clear();
    wordCount = 0;
  }
  const term = FUNCTION_WORDS.has(word) ? null : termOf(word, stemming);
  known[stemming]!.set(word, term);
  wordCount++;
  return term;
}
