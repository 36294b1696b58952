/**
 * Estimates how much readable text of its own a page has, without menus and repeated words. The quality is a
 * product of four factors, scaled to 1..255:
 *
 *   amount       length of the text without boilerplate: 1/2 at 300 characters, about 9/10 at 3000
 *   content      share of the text that is not in a menu, side bar or footer
 *   prose        share of the text outside of links; the text of links counts half
 *   variety      less than 1 if one word makes up more than a tenth of the words: a sign of keyword stuffing
 *
 * The effect on the ranking is limited: a page of the lowest quality loses at most the weight that the scoring
 * profile sets for quality.
 */
import { MarkKind, type Page } from '../page/mod.ts';

const HALF_LENGTH = 300;
/**
 * A page is suspected of keyword stuffing if its most frequent word makes up more than this share of all words.
 */
const HONEST_SHARE = 0.1;
/** Texts with fewer words than this are too short to measure the variety of their words. */
const MIN_WORDS = 40;
const SAMPLED_LENGTH = 4000;
/**
 * Matches the words that count for the variety. Words of less than four letters are skipped: many are function
 * words, which all texts repeat.
 */
const WORD = /[\p{L}\p{N}]{4,}/gu;

export function qualityOf({ text, title, marks, boilerplate = [] }: Page): number {
  const around = boilerplate.reduce((sum, [start, end]) => sum + end - start, 0);
  const linked = marks.reduce(
    (sum, { start, end, kind }) => sum + (kind === MarkKind.link ? end - start : 0),
    0,
  );
  const own = Math.max(0, text.length - around);
  const whole = Math.max(1, text.length);
  const amount = own / (own + HALF_LENGTH);
  const prose = 1 - Math.min(1, linked / whole) / 2;
  const value = amount * (own / whole) * prose * varietyOf(`${title} ${text.slice(0, SAMPLED_LENGTH)}`);
  return 1 + Math.round(254 * value);
}

function varietyOf(text: string): number {
  const counts = new Map<string, number>();
  const words = text.toLowerCase().match(WORD) ?? [];
  if (words.length < MIN_WORDS) return 1;
  let most = 0;
  for (const word of words) {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    if (count > most) most = count;
  }
  return Math.min(1, (HONEST_SHARE * words.length) / most);
}
