/** The Dutch stemmer of Snowball. Snowball has two; this is the first, by Porter. */
import { ending, endsIn, isVowelOf, regionAfter, SuffixTable, without, withoutIn } from './suffixes.ts';

const isVowel = isVowelOf('aeiouyè');
const FIRST = new SuffixTable({ heid: 'heden', en: 'en ene', s: 's se' });
const LAST = new SuffixTable({ ig: 'end ing', notE: 'ig', lijk: 'lijk', baar: 'baar', bar: 'bar' });
const PLAIN: Record<string, string> = {
  ä: 'a',
  á: 'a',
  ë: 'e',
  é: 'e',
  ï: 'i',
  í: 'i',
  ö: 'o',
  ó: 'o',
  ü: 'u',
  ú: 'u',
};

export function stemDutch(raw: string): string {
  const start = markConsonants(raw.replace(/[äáëéïíöóüú]/g, (letter) => PLAIN[letter]!));
  const first = regionAfter(start, 0, isVowel);
  const r1 = Math.max(3, first);
  const r2 = regionAfter(start, first, isVowel);
  const cut = cutFirst(start, r1);
  const { word: rest, isCut } = cutFinalE(cut, r1);
  let word = cutLast(cutHeid(rest, r1, r2), r1, r2, isCut);
  if (/[^aeiouyè](?:aa|ee|oo|uu)[^aeiouyèI]$/.test(word)) word = without(word, 2) + word.at(-1)!;
  return word.toLowerCase();
}

/**
 * Writes vowels that act as consonants in upper case: `y` at the beginning or after a vowel, and `i` between
 * vowels.
 */
function markConsonants(word: string): string {
  let out = word.startsWith('y') ? `Y${word.slice(1)}` : word;
  for (let i = 1; i < out.length; i++) {
    if (!isVowel(out[i - 1])) continue;
    if (out[i] === 'y' || (out[i] === 'i' && isVowel(out[i + 1]))) {
      out = out.slice(0, i) + out[i]!.toUpperCase() + out.slice(i + 1);
    }
  }
  return out;
}

function cutFirst(word: string, r1: number): string {
  const found = FIRST.longest(word);
  if (!found || !endsIn(word, found[0], r1)) return word;
  const [suffix, kind] = found;
  if (kind === 'heid') return ending(word, suffix.length, 'heid');
  if (kind === 'en') return cutEn(word, suffix.length, r1);
  return /[^aeiouyèj]$/.test(without(word, suffix.length)) ? without(word, suffix.length) : word;
}

/** Removes the plural ending `en` if it is in the region R1. */
function cutEn(word: string, length: number, r1: number): string {
  const rest = without(word, length);
  const isEnding = rest.length >= r1 && rest !== '' && !isVowel(rest.at(-1)) && !rest.endsWith('gem');
  return isEnding ? undouble(rest) : word;
}

function undouble(word: string): string {
  return /(?:kk|dd|tt)$/.test(word) ? without(word, 1) : word;
}

function cutFinalE(word: string, r1: number): { word: string; isCut: boolean } {
  const isCut = endsIn(word, 'e', r1) && word.length > 1 && !isVowel(word.at(-2));
  return { word: isCut ? undouble(without(word, 1)) : word, isCut };
}

function cutHeid(word: string, r1: number, r2: number): string {
  if (!endsIn(word, 'heid', r2) || word.endsWith('cheid')) return word;
  const rest = without(word, 4);
  return rest.endsWith('en') ? cutEn(rest, 2, r1) : rest;
}

function cutLast(word: string, r1: number, r2: number, isFinalECut: boolean): string {
  const found = LAST.longest(word);
  if (!found || !endsIn(word, found[0], r2)) return word;
  const [suffix, kind] = found;
  const rest = without(word, suffix.length);
  if (kind === 'ig')
    return endsIn(rest, 'ig', r2) && !rest.endsWith('eig') ? withoutIn(rest, 'ig', r2) : undouble(rest);
  if (kind === 'notE') return rest.endsWith('e') ? word : rest;
  if (kind === 'lijk') return cutFinalE(rest, r1).word;
  return kind === 'bar' && !isFinalECut ? word : rest;
}
