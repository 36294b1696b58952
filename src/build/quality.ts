/**
 * Estimates how much readable text a page has that is its own, that is without menus and repeated words. The
 * quality is a product of four factors, scaled to 1..255:
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
import { eachHashedWord } from '../text/mod.ts';

const HALF_LENGTH = 300;
/**
 * A page is suspected of keyword stuffing if its most frequent word makes up more than this share of all words.
 */
const HONEST_SHARE = 0.1;
/** The minimum number of words of a text for which the variety of its words is measured. */
const MIN_WORDS = 40;
const SAMPLED_LENGTH = 4000;
/**
 * The minimum length of a word that counts for the variety. Many shorter words are function words, which all
 * texts repeat.
 */
const MIN_LETTERS = 4;

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
  const counts = new Map<number, number>();
  let words = 0;
  let most = 0;
  eachHashedWord(text.toLowerCase(), (hash, start, end) => {
    if (end - start < MIN_LETTERS) return;
    words++;
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    if (count > most) most = count;
  });
  return words < MIN_WORDS ? 1 : Math.min(1, (HONEST_SHARE * words) / most);
}
