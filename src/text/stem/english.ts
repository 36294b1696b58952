/** The English stemmer of Snowball (Porter 2). */
import { ending, endsIn, isVowelOf, regionAfter, SuffixTable, suffixes, without } from './suffixes.ts';

const EXCEPTIONS = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
]);
/** Words that the other rules do not change after the plural ending was removed. */
const DONE_AFTER_PLURAL = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '));

/** Prefixes after which the region R1 begins. */
const PREFIXES = ['gener', 'commun', 'arsen'];

const isVowel = isVowelOf('aeiouy');
const POSSESSIVES = suffixes("' 's 's'");
const PLURALS = new SuffixTable({ ss: 'sses', i: 'ied ies', keep: 'us ss', s: 's' });
const PASTS = new SuffixTable({ ee: 'eed eedly', delete: 'ed edly ing ingly' });
const LONGER = new SuffixTable({
  tion: 'tional',
  ence: 'enci',
  ance: 'anci',
  able: 'abli',
  ent: 'entli',
  ize: 'izer ization',
  ate: 'ational ation ator',
  al: 'alism aliti alli',
  ful: 'fulness fulli',
  ous: 'ousli ousness',
  ive: 'iveness iviti',
  ble: 'biliti bli',
  less: 'lessli',
  afterL: 'ogi',
  li: 'li',
});
const SHORTER = new SuffixTable({
  tion: 'tional',
  ate: 'ational',
  al: 'alize',
  ic: 'icate iciti ical',
  '': 'ful ness',
  ative: 'ative',
});
const LAST = new SuffixTable({
  delete: 'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize',
  ion: 'ion',
});

export function stemEnglish(raw: string): string {
  if (raw.length <= 2) return raw;
  const exception = EXCEPTIONS.get(raw);
  if (exception !== undefined) return exception;
  let word = markConsonantY(raw.startsWith("'") ? raw.slice(1) : raw);
  const r1 = firstRegion(word);
  const r2 = regionAfter(word, r1, isVowel);
  word = cutPlural(word);
  if (DONE_AFTER_PLURAL.has(word)) return word;
  word = finalYToI(cutPast(word, r1));
  word = cutFinal(cutLast(shorten(shortenLonger(word, r1), r1, r2), r2), r1, r2);
  return word.includes('Y') ? word.replaceAll('Y', 'y') : word;
}

/** Writes `y` at the beginning or after a vowel as `Y`, because it is a consonant there. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word;
  let out = '';
  for (let i = 0; i < word.length; i++) {
    out += word[i] === 'y' && (i === 0 || isVowel(out[i - 1])) ? 'Y' : word[i]!;
  }
  return out;
}

function firstRegion(word: string): number {
  const prefix = PREFIXES.find((each) => word.startsWith(each));
  return prefix ? prefix.length : regionAfter(word, 0, isVowel);
}

function cutPlural(raw: string): string {
  const word = without(raw, POSSESSIVES.longest(raw)?.[0].length ?? 0);
  const found = PLURALS.longest(word);
  if (!found) return word;
  const [suffix, kind] = found;
  if (kind === 'ss') return without(word, 2);
  if (kind === 'i') return ending(word, suffix.length, word.length > 4 ? 'i' : 'ie');
  return kind === 's' && hasVowel(word, word.length - 2) ? without(word, 1) : word;
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(word[i])) return true;
  return false;
}

function cutPast(word: string, r1: number): string {
  const found = PASTS.longest(word);
  if (!found) return word;
  const [suffix, kind] = found;
  if (kind === 'ee') return endsIn(word, suffix, r1) ? ending(word, suffix.length, 'ee') : word;
  const rest = without(word, suffix.length);
  if (!hasVowel(rest, rest.length)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return without(rest, 1);
  return r1 >= rest.length && endsInShortSyllable(rest) ? `${rest}e` : rest;
}

function endsInShortSyllable(word: string): boolean {
  const [before, vowel, last] = [word.at(-3), word.at(-2), word.at(-1)];
  if (!isVowel(vowel) || isVowel(last)) return false;
  return before === undefined || (!isVowel(before) && !'wxY'.includes(last!));
}

function finalYToI(word: string): string {
  const last = word[word.length - 1];
  const isFinal = (last === 'y' || last === 'Y') && word.length > 2 && !isVowel(word[word.length - 2]);
  return isFinal ? ending(word, 1, 'i') : word;
}

function shortenLonger(word: string, r1: number): string {
  const found = LONGER.longest(word);
  if (!found || !endsIn(word, found[0], r1)) return word;
  const [suffix, kind] = found;
  const before = word.at(-suffix.length - 1) ?? ' ';
  if (kind === 'afterL') return before === 'l' ? without(word, 1) : word;
  if (kind === 'li') return 'cdeghkmnrt'.includes(before) ? without(word, 2) : word;
  return ending(word, suffix.length, kind);
}

function shorten(word: string, r1: number, r2: number): string {
  const found = SHORTER.longest(word);
  if (!found || !endsIn(word, found[0], r1)) return word;
  const [suffix, kind] = found;
  if (kind === 'ative') return endsIn(word, suffix, r2) ? without(word, 5) : word;
  return ending(word, suffix.length, kind);
}

function cutLast(word: string, r2: number): string {
  const found = LAST.longest(word);
  if (!found || !endsIn(word, found[0], r2)) return word;
  if (found[1] === 'ion' && !/[st]ion$/.test(word)) return word;
  return without(word, found[0].length);
}

function cutFinal(word: string, r1: number, r2: number): string {
  const rest = without(word, 1);
  if (endsIn(word, 'e', r2) || (endsIn(word, 'e', r1) && !endsInShortSyllable(rest))) return rest;
  return endsIn(word, 'l', r2) && rest.endsWith('l') ? rest : word;
}
