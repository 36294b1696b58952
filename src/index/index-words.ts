/**
 * The words of a whole index: those that begin in some way, those that are nearly a given one, those that are one but for
 * accents. What the segments
 * know of a word is added up. Counts include documents that are deleted but not yet merged away.
 */
import { CorruptError } from '../base/mod.ts';
import type { NearWord } from './near-words.ts';
import type { OpenSegment } from './open-segment.ts';
import type { WordEntry } from './segment-reader.ts';

/** A word as it stands in documents, lower-cased, and in how many of them. */
export interface WordCount {
  word: string;
  docCount: number;
}

export interface NearWordCount extends WordCount {
  distance: number;
}

/** Words walked per segment for one prefix. */
const MAX_WALKED = 100_000;

type Damaged = (segment: OpenSegment, why: unknown) => void;

/** The most frequent words with this beginning, at most `limit`; accents that are not typed are not asked for. Of a very common beginning only the first are seen. */
export function wordsWithPrefix(
  segments: readonly OpenSegment[],
  prefix: string,
  limit: number,
  damaged: Damaged,
): WordCount[] {
  const counts = new Map<string, number>();
  overSegments(segments, damaged, ({ reader }) => {
    let walked = 0;
    for (const beginning of [prefix, ...reader.beginningsOf(prefix)])
      for (const { word, docCount } of reader.words(beginning)) {
        if (!word.startsWith(beginning) || ++walked > MAX_WALKED) break;
        counts.set(word, (counts.get(word) ?? 0) + docCount);
      }
  });
  const words = Array.from(counts, ([word, docCount]) => ({ word, docCount }));
  return words.sort(byCount).slice(0, limit);
}

/** The nearest words, the most frequent first among those as near, at most `limit`. */
export function wordsNear(
  segments: readonly OpenSegment[],
  near: (segment: OpenSegment) => NearWord<WordEntry>[],
  limit: number,
  damaged: Damaged,
): NearWordCount[] {
  const words = new Map<string, NearWordCount>();
  overSegments(segments, damaged, (segment) => {
    for (const { entry, distance } of near(segment)) {
      const docCount = (words.get(entry.word)?.docCount ?? 0) + entry.docCount;
      words.set(entry.word, { word: entry.word, docCount, distance });
    }
  });
  return [...words.values()].sort((a, b) => a.distance - b.distance || byCount(a, b)).slice(0, limit);
}

/** The words that fold to the same, without the folded one. */
export function spellingsIn(
  segments: readonly OpenSegment[],
  folded: string,
  damaged: Damaged,
): readonly string[] {
  let words: readonly string[] = [];
  overSegments(segments, damaged, ({ reader }) => {
    const own = reader.spellingsOf(folded);
    if (own.length > 0) words = [...new Set([...words, ...own])];
  });
  return words;
}

function overSegments(
  segments: readonly OpenSegment[],
  damaged: Damaged,
  visit: (segment: OpenSegment) => void,
): void {
  for (const segment of segments) {
    try {
      visit(segment);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      damaged(segment, error);
    }
  }
}

function byCount(a: WordCount, b: WordCount): number {
  return b.docCount - a.docCount || (a.word < b.word ? -1 : 1);
}
