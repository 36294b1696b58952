/** Lookups in the dictionaries of an index that query parsing and query expansion need. */

import type { IndexReader, OpenSegment, TermLists } from '../../index/mod.ts';
import { type StemmingSet, stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';
import { findInSegments, liveFrequency, type TermInSegments } from '../terms/mod.ts';
import type { CountsReply, CountsRequest, PageTerms, WordsReply, WordsRequest } from './search-shard.ts';

/** The number of characters of a page that are read; the rest of a longer page is ignored. */
const PAGE_LENGTH = 50_000;
/** Deadline steps for reading a whole page. */
const PAGE_STEPS = 50_000;
/** Deadline steps for finding the spellings of a word: ten to twenty dictionary blocks are decoded. */
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

/** Counts the documents that have each term. */
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

/** `entries` are the entries of a term, one per segment. */
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
 * Counting live documents scans the postings of segments that have deleted documents. This is skipped if the
 * count is above the ceiling even when all deleted documents are subtracted.
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

/** Returns the terms of a page; null if no segment has it. */
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
