/** The German stemmer of Snowball. */
import { endsIn, isVowelOf, regionAfter, SuffixTable, suffixes, without, withoutIn } from './suffixes.ts';

const isVowel = isVowelOf('aeiouyäöü');
const FIRST = new SuffixTable({ delete: 'em ern er', e: 'e en es', s: 's' });
const SECOND = new SuffixTable({ delete: 'en er est', st: 'st' });
const THIRD = new SuffixTable({ ig: 'end ung', notE: 'ig ik isch', er: 'lich heit', keit: 'keit' });
const BEFORE_KEIT = suffixes('lich ig');

export function stemGerman(raw: string): string {
  let word = markConsonants(raw.replaceAll('ß', 'ss'));
  const first = regionAfter(word, 0, isVowel);
  const r1 = word.length < 3 ? word.length : Math.max(3, first);
  const r2 = word.length < 3 ? word.length : regionAfter(word, first, isVowel);
  word = cutThird(cutSecond(cutFirst(word, r1), r1), r1, r2);
  return word.toLowerCase().replace(/[äöü]/g, (letter) => ({ ä: 'a', ö: 'o', ü: 'u' })[letter]!);
}

/** Writes `u` and `y` between vowels in upper case, because they are consonants there. */
function markConsonants(word: string): string {
  let out = word;
  for (let i = 1; i < word.length - 1; i++) {
    const isBetween = /[uy]/.test(word[i]!) && isVowel(out[i - 1]) && isVowel(word[i + 1]);
    if (isBetween) out = out.slice(0, i) + word[i]!.toUpperCase() + out.slice(i + 1);
  }
  return out;
}

function cutFirst(word: string, r1: number): string {
  const found = FIRST.longest(word);
  if (!found || !endsIn(word, found[0], r1)) return word;
  const [suffix, kind] = found;
  if (kind === 's') return /[bdfghklmnrt]s$/.test(word) ? without(word, 1) : word;
  const rest = without(word, suffix.length);
  return kind === 'e' && rest.endsWith('niss') ? without(rest, 1) : rest;
}

function cutSecond(word: string, r1: number): string {
  const found = SECOND.longest(word);
  if (!found || !endsIn(word, found[0], r1)) return word;
  if (found[1] === 'st' && !/...[bdfghklmnt]st$/.test(word)) return word;
  return without(word, found[0].length);
}

function cutThird(word: string, r1: number, r2: number): string {
  const found = THIRD.longest(word);
  if (!found || !endsIn(word, found[0], r2)) return word;
  const [suffix, kind] = found;
  const rest = without(word, suffix.length);
  if (kind === 'ig') return rest.endsWith('eig') ? rest : withoutIn(rest, 'ig', r2);
  if (kind === 'notE') return rest.endsWith('e') ? word : rest;
  if (kind === 'er') return endsIn(rest, 'er', r1) || endsIn(rest, 'en', r1) ? without(rest, 2) : rest;
  const before = BEFORE_KEIT.longest(rest);
  return before ? withoutIn(rest, before[0], r2) : rest;
}
