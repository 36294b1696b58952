/**
 * The Russian stemmer of Snowball. All endings must be in the region RV, which begins after the first vowel.
 */
import { indexAfter, isVowelOf, regionAfter, SuffixTable, suffixes, without, withoutIn } from './suffixes.ts';

const isVowel = isVowelOf('аеиоуыэюя');
/**
 * The endings of gerunds. Endings of the kind `first` are removed only after the letter а or я; this letter is
 * not removed.
 */
const GERUND = new SuffixTable({ first: 'в вши вшись', second: 'ив ивши ившись ыв ывши ывшись' });
const ADJECTIVE = suffixes(
  'ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею',
);
const PARTICIPLE = new SuffixTable({ first: 'ем нн вш ющ щ', second: 'ивш ывш ующ' });
const REFLEXIVE = suffixes('ся сь');
const VERB = new SuffixTable({
  first: 'ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно',
  second:
    'ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь ую ю',
});
const NOUN = suffixes(
  'а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я',
);
const DERIVED = suffixes('ост ость');
const TIDY = new SuffixTable({ superlative: 'ейш ейше', n: 'н', soft: 'ь' });

export function stemRussian(raw: string): string {
  let word = raw.replaceAll('ё', 'е');
  const rv = indexAfter(word, 0, isVowel);
  const r2 = regionAfter(word, regionAfter(word, 0, isVowel), isVowel);
  word = withoutIn(cutInflection(word, rv), 'и', rv);
  const derived = DERIVED.longest(word, rv);
  if (derived) word = withoutIn(word, derived[0], r2);
  return tidied(word, rv);
}

function cutInflection(word: string, rv: number): string {
  const gerund = cut(word, GERUND, rv);
  if (gerund !== null) return gerund;
  const rest = cut(word, REFLEXIVE, rv) ?? word;
  const adjective = cut(rest, ADJECTIVE, rv);
  if (adjective !== null) return cut(adjective, PARTICIPLE, rv) ?? adjective;
  return cut(rest, VERB, rv) ?? cut(rest, NOUN, rv) ?? rest;
}

/**
 * Removes the longest ending of the table. Returns null if there is none, or if it must follow а or я and
 * does not.
 */
function cut(word: string, table: SuffixTable<string>, rv: number): string | null {
  const found = table.longest(word, rv);
  if (!found) return null;
  const rest = without(word, found[0].length);
  const counts = found[1] !== 'first' || (rest.length > rv && /[ая]$/.test(rest));
  return counts ? rest : null;
}

function tidied(word: string, rv: number): string {
  const found = TIDY.longest(word, rv);
  if (!found) return word;
  const rest = without(word, found[0].length);
  if (found[1] === 'soft') return rest;
  if (found[1] === 'n') return rest.length > rv && rest.endsWith('н') ? rest : word;
  return rest.length > rv + 1 && rest.endsWith('нн') ? without(rest, 1) : rest;
}
