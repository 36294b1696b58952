/**
 * Finds words in a whole index: words with a given prefix, and other spellings of a word with different
 * accents. The document counts of a word are added up over all segments, and include deleted documents that no
 * merge has removed yet.
 */
import { CorruptError } from '../base/mod.ts';
import type { OpenSegment } from './open-segment.ts';

/** A lower-cased word, and the number of documents that contain it. */
export interface WordCount {
  word: string;
  docCount: number;
}

/** Limits the number of words that are read from the dictionaries. */
export interface WalkLimits {
  /** The maximum number of words to read in each segment. */
  maxRead: number;
  /**
   * Called regularly with the number of words read since the last call. It may throw to stop the search for
   * words.
   */
  onRead?: (words: number) => void;
}

const READ_PER_CALL = 1024;

type Damaged = (segment: OpenSegment, why: unknown) => void;

/**
 * Returns the most frequent words with this prefix, at most `limit`, with and without accents. If a segment
 * has more than `maxRead` words with the prefix, only the first in alphabetical order are considered.
 */
export function wordsWithPrefix(
  segments: readonly OpenSegment[],
  prefix: string,
  limit: number,
  { maxRead, onRead }: WalkLimits,
  damaged: Damaged,
): { words: WordCount[]; isCut: boolean } {
  let isCut = false;
  const counts = new Map<string, number>();
  overSegments(segments, damaged, ({ reader }) => {
    let read = 0;
    onRead?.(READ_PER_CALL);
    for (const beginning of [prefix, ...reader.beginningsOf(prefix)])
      for (const { word, docCount } of reader.words(beginning)) {
        if (!word.startsWith(beginning)) break;
        if (++read > maxRead) {
          isCut = true;
          break;
        }
        if (read % READ_PER_CALL === 0) onRead?.(READ_PER_CALL);
        counts.set(word, (counts.get(word) ?? 0) + docCount);
      }
  });
  const words = Array.from(counts, ([word, docCount]) => ({ word, docCount }));
  return { words: words.sort(byCount).slice(0, limit), isCut };
}

/** Returns the words whose folded form (without accents) is `folded`, except `folded` itself. */
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
