/**
 * How much of a page is text of its own that somebody may want to read: a product of shares, from 1 to 255.
 *
 *   amount       little text says little; at 300 characters it is half of all, at 3000 nine tenths
 *   content      what is not menu, side bar or footer
 *   prose        what is not the text of links; these count half
 *   variety      a word that makes up more than a tenth of the words is repeated to be found, not to be read
 *
 * A page that has nothing to say is no crime: the least quality moves it down by what the profile says, no further.
 */
import { MarkKind, type Page } from '../page/mod.ts';

const HALF_LENGTH = 300;
/** A tenth of the words is what the subject of an honest page has. */
const HONEST_SHARE = 0.1;
/** Fewer words are no sample. */
const MIN_WORDS = 40;
const SAMPLED_LENGTH = 4000;
/** Shorter words hold others together: everybody repeats them. */
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
