/** Lookups in the dictionaries of a shard, for query parsing and query expansion. */

import type { IndexReader, OpenSegment, TermLists } from '../../index/mod.ts';
import { type StemmingSet, stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';
import { findInSegments, liveFrequency, type TermInSegments } from '../terms/mod.ts';
import type { CountsReply, CountsRequest, PageTerms, WordsReply, WordsRequest } from './search-shard.ts';

/** The maximum number of characters of a page that `related:` reads; the rest of the page is ignored. */
const PAGE_LENGTH = 50_000;
/** The cost of reading a whole page, in deadline steps. */
const PAGE_STEPS = 50_000;
/**
 * The cost of finding the spellings of a word with other accents, in deadline steps: ten to twenty dictionary blocks
 * are decoded.
 */
const SPELLINGS_STEPS = 512;

export function lookUpWords(
  index: IndexReader,
  { prefixes, spelled }: WordsRequest,
  deadline: Deadline,
): WordsReply {
  const onRead = (words: number) => deadline.require(words);
  return {
    prefixes: prefixes.map(({ prefix, limit, maxRead }) =>
      index.termsWithPrefix(prefix, limit, { maxRead, onRead }),
    ),
    spellings: spelled.map((word) => {
      deadline.require(SPELLINGS_STEPS);
      return index.spellingsOf(word);
    }),
  };
}

/** Counts the documents that have each term, in their text and, if requested, in anchor texts. */
export function countDocuments(
  segments: readonly OpenSegment[],
  { terms, inAnchors, includesDeleted, ceiling }: CountsRequest,
  deadline: Deadline,
): CountsReply {
  const count = includesDeleted ? countIndexed : countLive;
  const own: number[] = [];
  const said: number[] = [];
  for (const { term, stemmings } of terms) {
    const found = findInSegments(segments, term, deadline);
    own.push(count(segments, found.own, stemmings, (segment) => segment.reader, ceiling, deadline));
    said.push(
      inAnchors
        ? count(segments, found.said, stemmings, (segment) => segment.anchors!, ceiling, deadline)
        : 0,
    );
  }
  return { own, said };
}

/** Counts the documents that have a term. `entries` are the dictionary entries of the term, one per segment. */
type Count = (
  segments: readonly OpenSegment[],
  entries: TermInSegments['own'],
  stemmings: StemmingSet,
  listsOf: (segment: OpenSegment) => TermLists,
  ceiling: number,
  deadline: Deadline,
) => number;

const countIndexed: Count = (_, entries) => {
  let sum = 0;
  for (const entry of entries) sum += entry?.docCount ?? 0;
  return sum;
};

/**
 * Counts the live documents that have a term. In a segment with deleted documents this scans the postings. The scan
 * is skipped if the count would be above `ceiling` even without all deleted documents.
 */
const countLive: Count = (segments, entries, stemmings, listsOf, ceiling, deadline) => {
  let least = 0;
  for (let at = 0; at < entries.length; at++)
    least += Math.max(0, (entries[at]?.docCount ?? 0) - segments[at]!.deletes.size);
  if (least > ceiling) return least;
  let sum = 0;
  for (let at = 0; at < entries.length; at++) {
    const [entry, segment] = [entries[at]!, segments[at]!];
    if (entry) sum += liveFrequency(segment, entry, stemmings, listsOf(segment), deadline);
  }
  return sum;
};

/** Returns the terms of a page; null if the shard does not have the page. */
export function readPage(
  segments: readonly OpenSegment[],
  fingerprint: bigint,
  deadline: Deadline,
): PageTerms | null {
  for (const segment of segments) {
    const doc = segment.reader.findDocument(fingerprint);
    if (doc < 0 || segment.deletes.has(doc)) continue;
    deadline.require(PAGE_STEPS);
    const { title, text, language } = reading(segment, () => segment.reader.document(doc));
    const { vectors } = segment;
    const vector = vectors?.vectorAt(doc);
    return {
      ...termsOfPage(`${title}\n${text.slice(0, PAGE_LENGTH)}`, language),
      meaning: vectors && vector ? { model: vectors.model, vector } : null,
    };
  }
  return null;
}

function termsOfPage(text: string, language: string): Omit<PageTerms, 'meaning'> {
  const stemming = stemmingOf(language);
  const counts = new Map<string, { word: string; count: number }>();
  tokenize(text, (word) => {
    const term = termOf(word, stemming);
    const known = counts.get(term);
    if (known) known.count++;
    else counts.set(term, { word, count: 1 });
  });
  return {
    terms: [...counts.keys()],
    words: Array.from(counts.values(), ({ word }) => word),
    counts: Array.from(counts.values(), ({ count }) => count),
  };
}
