/** Lookups in the dictionaries of an index that query parsing and query expansion need. */

import type { BoundedCache } from '../../base/mod.ts';
import type { IndexReader, OpenSegment, TermLists } from '../../index/mod.ts';
import { stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';
import type { Variant } from '../language/mod.ts';
import { FIND_STEPS, liveFrequency } from '../terms/mod.ts';
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

/** Counts of earlier requests about the same segments. */
type KnownCounts = BoundedCache<string, number>;

/**
 * Counts the documents that have each term. The counts are cached, because query expansion asks for a hundred terms per
 * query, many of them repeatedly, and each would be looked up in every segment.
 */
export function countDocuments(
  segments: readonly OpenSegment[],
  { terms, inAnchors, includesDeleted, ceiling }: CountsRequest,
  deadline: Deadline,
  known: KnownCounts,
): CountsReply {
  const count = includesDeleted ? countIndexed : countLive;
  const among = (field: 'reader' | 'anchors') =>
    terms.map((term) =>
      known.remember(`${field} ${includesDeleted} ${ceiling} ${term.stemmings} ${term.term}`, () =>
        count(segments, term, (segment) => segment[field], ceiling, deadline),
      ),
    );
  return { own: among('reader'), said: inAnchors ? among('anchors') : terms.map(() => 0) };
}

type Count = (
  segments: readonly OpenSegment[],
  term: Variant,
  listsOf: (segment: OpenSegment) => TermLists | null,
  ceiling: number,
  deadline: Deadline,
) => number;

const countIndexed: Count = (segments, { term }, listsOf) =>
  segments.reduce((sum, segment) => {
    const entry = reading(segment, () => listsOf(segment)?.findTerm(term));
    return sum + (entry?.docCount ?? 0);
  }, 0);

/**
 * Counting live documents scans the postings of segments that have deleted documents. This is skipped if the
 * count is above the ceiling even when all deleted documents are subtracted.
 */
const countLive: Count = (segments, { term, stemmings }, listsOf, ceiling, deadline) => {
  const found = segments.flatMap((segment) => {
    deadline.require(FIND_STEPS);
    const lists = listsOf(segment);
    const entry = lists && reading(segment, () => lists.findTerm(term));
    return entry ? [{ segment, lists, entry }] : [];
  });
  if (ceiling !== Number.POSITIVE_INFINITY) {
    const least = found.reduce(
      (sum, { segment, entry }) => sum + Math.max(0, entry.docCount - segment.deletes.size),
      0,
    );
    if (least > ceiling) return least;
  }
  return found.reduce(
    (sum, { segment, lists, entry }) => sum + liveFrequency(segment, entry, stemmings, lists, deadline),
    0,
  );
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
