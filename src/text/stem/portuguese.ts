/**
 * The Portuguese stemmer of Snowball. While stemming, `ã` is written `a~`, so that the `a` counts as a vowel.
 */
import { cutBeforeAmente, cutLongest, cutWithin, romanceRegion } from './romance.ts';
import {
  ending,
  endsIn,
  isVowelOf,
  regionAfter,
  SuffixTable,
  suffixes,
  without,
  withoutIn,
} from './suffixes.ts';

const isVowel = isVowelOf('aeiouáéíóúâêô');
const STANDARD = new SuffixTable({
  delete:
    'eza ezas ico ica icos icas ismo ismos ável ível ista istas oso osa osos osas amento amentos imento imentos adora ador aça~o adoras adores aço~es ante antes ância',
  log: 'logia logias',
  u: 'uça~o uço~es',
  ente: 'ência ências',
  amente: 'amente',
  mente: 'mente',
  idade: 'idade idades',
  at: 'iva ivo ivas ivos',
  ir: 'ira iras',
});
const BEFORE_AMENTE = suffixes('iv os ic ad');
const BEFORE_MENTE = suffixes('ante avel ível');
const BEFORE_IDADE = suffixes('abil ic iv');
const VERB = suffixes(
  'ada ida ia aria eria iria ará ara erá era irá ava asse esse isse aste este iste ei arei erei irei am iam ariam eriam iriam aram eram iram avam em arem erem irem assem essem issem ado ido ando endo indo ara~o era~o ira~o ar er ir as adas idas ias arias erias irias arás aras erás eras irás avas es ardes erdes irdes ares eres ires asses esses isses astes estes istes is ais eis íeis aríeis eríeis iríeis áreis areis éreis ereis íreis ireis ásseis ésseis ísseis áveis ados idos ámos amos íamos aríamos eríamos iríamos áramos éramos íramos ávamos emos aremos eremos iremos ássemos êssemos íssemos imos armos ermos irmos eu iu ou ira iras',
);
const RESIDUAL = suffixes('os a i o á í ó');

export function stemPortuguese(raw: string): string {
  const start = raw.replaceAll('ã', 'a~').replaceAll('õ', 'o~');
  const rv = romanceRegion(start, isVowel);
  const r1 = regionAfter(start, 0, isVowel);
  const r2 = regionAfter(start, r1, isVowel);
  const cut = cutStandard(start, rv, r1, r2) ?? cutWithin(start, VERB, rv);
  const word =
    cut === null ? cutLongest(start, RESIDUAL, rv) : cut.endsWith('ci') ? withoutIn(cut, 'i', rv) : cut;
  return cutForm(word, rv).replaceAll('a~', 'ã').replaceAll('o~', 'õ');
}

/** Removes a standard suffix. Returns null if the word has none, or has it outside the required region. */
function cutStandard(word: string, rv: number, r1: number, r2: number): string | null {
  const found = STANDARD.longest(word);
  if (!found) return null;
  const [suffix, kind] = found;
  if (!endsIn(word, suffix, kind === 'amente' ? r1 : kind === 'ir' ? rv : r2)) return null;
  const rest = without(word, suffix.length);
  switch (kind) {
    case 'delete':
      return rest;
    case 'at':
      return withoutIn(rest, 'at', r2);
    case 'amente':
      return cutBeforeAmente(rest, BEFORE_AMENTE, r2);
    case 'mente':
      return cutLongest(rest, BEFORE_MENTE, r2);
    case 'idade':
      return cutLongest(rest, BEFORE_IDADE, r2);
    case 'ir':
      return rest.endsWith('e') ? `${rest}ir` : null;
    default:
      return rest + kind;
  }
}

function cutForm(word: string, rv: number): string {
  if (word.endsWith('ç')) return ending(word, 1, 'c');
  if (!/[eéê]$/.test(word) || word.length - 1 < rv) return word;
  const rest = without(word, 1);
  return /(?:gu|ci)$/.test(rest) && rest.length - 1 >= rv ? without(rest, 1) : rest;
}
