/**
 * The lexicon of a segment, `seg-00000007.lex-00000012`: the words and word pairs of its documents for corrections and
 * next-word suggestions, and its titles and headings for suggestions. Sealed (magic GYL1), body:
 *
 *   docs        u32            documents of the segment
 *   words       u32            how many words are listed
 *   pairs       u32            how many pairs are listed
 *   phrases     u32            how many phrases are listed
 *   uses        u32            how many uses of phrases are listed
 *   total       f64            how many words were counted, those that are not listed included
 *   counts      u32 × words    how often each word was counted
 *   wordEnds    u32 × words    where each word ends in its bytes; it begins where the one before ends
 *   pairEnds    u32 × words    where the pairs that begin with the word end
 *   seconds     u32 × pairs    number of the second word, ascending for each first
 *   together    u32 × pairs    how often the second directly followed the first
 *   keyEnds     u32 × phrases  where each key ends
 *   textEnds    u32 × phrases  the same for texts
 *   useEnds     u32 × phrases  where the uses of the phrase end
 *   usedBy      u32 × uses     document × 8 + the bits of `PhraseUse`, ascending for each phrase
 *   urlEnds     u32 × docs     where the URL of each document ends
 *   words, keys, texts, URLs   UTF-8, one after another
 *
 * Words ascend by UTF-16 units, keys by bytes. A key is the folded text, with a single space in place of each run of
 * characters other than letters and digits (`keyOf`). The text is empty if it equals the key. Ranks and deletes are not
 * part of the file: a reader computes the weight of a phrase from the documents that use it.
 *
 * A word of a title counts four times, other words once. Only the first COUNTED_TEXT UTF-16 units of a document's stored
 * text are counted: words that occur only later are rarely searched for. The counts include deleted documents, until a
 * merge subtracts them.
 *
 * The body of the lexicon of one document, `http://a/` with the title "At" and no text, is
 *
 *   01 00 00 00  01 00 00 00  00 00 00 00  01 00 00 00  01 00 00 00  00 00 00 00 00 00 10 40
 *   04 00 00 00  02 00 00 00  00 00 00 00  02 00 00 00  02 00 00 00  01 00 00 00  04 00 00 00  09 00 00 00
 *   61 74  61 74  41 74  68 74 74 70 3A 2F 2F 61 2F
 */
import type { FileKind } from '../../base/mod.ts';
import type { TextColumn } from './text-column.ts';

export const SEGMENT_LEXICON_KIND: FileKind = { magic: 'GYL1', version: 1 };

export const COUNTED_TEXT = 4_000;
/** One occurrence of a word in a title counts as this many occurrences. */
export const TITLE_COUNT = 4;
/** The maximum length in UTF-16 units of a word that a lexicon lists. */
export const MAX_WORD_LENGTH = 32;
/**
 * The maximum number of words, and of word pairs, in the lexicon of a segment. If there are more, the rarest
 * are left out.
 */
export const MAX_WORDS = 200_000;
export const MAX_PAIRS = 400_000;

/** Bits that say how a document uses a phrase: as a heading, a title or a name. */
export const PhraseUse = {
  heading: 1,
  /** The phrase is the title of the document, or the title without the name of the site. */
  title: 2,
  /**
   * The phrase is the title without the name of the site. Synonyms are found among these names, even if they
   * are too short to be suggested.
   */
  name: 4,
} as const;

export const USE_BITS = 3;
export const USE_MASK = (1 << USE_BITS) - 1;

export interface PairColumns {
  pairEnds: Uint32Array;
  seconds: Uint32Array;
  together: Uint32Array;
}

/** The sorted words of a lexicon, with their counts and word pairs. */
export interface WordColumns extends PairColumns {
  total: number;
  words: readonly string[];
  counts: Uint32Array;
}

/** Phrases in ascending order of their keys. A text is empty if it equals the key. */
export interface PhraseColumns {
  keys: TextColumn;
  texts: TextColumn;
}

/** Phrases with the documents that use them. */
export interface PhraseUses extends PhraseColumns {
  useEnds: Uint32Array;
  usedBy: Uint32Array;
}

export interface PhraseRow {
  key: string;
  text: string;
  /** The documents that use the phrase, each as document × 8 + the bits of `PhraseUse`. */
  usedBy: readonly number[];
}

export interface LexiconColumns extends WordColumns {
  phrases: PhraseUses;
  /** The URL of each document, by document number. */
  urls: TextColumn;
}
