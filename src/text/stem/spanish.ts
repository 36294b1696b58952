/** The Spanish stemmer of Snowball. */
import { cutBeforeAmente, cutLongest, romanceRegion } from './romance.ts';
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

const isVowel = isVowelOf('aeiouáéíóúü');
const PRONOUNS = suffixes('me se sela selo selas selos la le lo las les los nos');
const BEFORE_PRONOUN = new SuffixTable({
  plain: 'iéndo ándo ár ér ír',
  keep: 'ando iendo ar er ir',
  yendo: 'yendo',
});
const STANDARD = new SuffixTable({
  delete:
    'anza anzas ico ica icos icas ismo ismos able ables ible ibles ista istas oso osa osos osas amiento amientos imiento imientos',
  ic: 'adora ador ación adoras adores aciones ante antes ancia ancias',
  log: 'logía logías',
  u: 'ución uciones',
  ente: 'encia encias',
  amente: 'amente',
  mente: 'mente',
  idad: 'idad idades',
  at: 'iva ivo ivas ivos',
});
const BEFORE_AMENTE = suffixes('iv os ic ad');
const BEFORE_MENTE = suffixes('ante able ible');
const BEFORE_IDAD = suffixes('abil ic iv');
const VERB_WITH_Y = suffixes('ya ye yan yen yeron yendo yo yó yas yes yais yamos');
const VERB = new SuffixTable({
  gu: 'en es éis emos',
  delete: `arían arías arán arás aríais aría aréis aríamos aremos ará aré erían erías erán erás eríais ería eréis eríamos eremos erá eré irían irías irán irás iríais iría iréis iríamos iremos irá iré aba ada ida ía ara iera ad ed id ase iese aste iste an aban ían aran ieran asen iesen aron ieron ado ido ando iendo ió ar er ir as abas adas idas ías aras ieras ases ieses ís áis abais íais arais ierais aseis ieseis asteis isteis ados idos amos ábamos íamos imos áramos iéramos iésemos ásemos`,
});
const RESIDUAL = new SuffixTable({ delete: 'os a o á í ó', gu: 'e é' });
const PLAIN: Record<string, string> = { á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u' };

export function stemSpanish(raw: string): string {
  const rv = romanceRegion(raw, isVowel);
  const r1 = regionAfter(raw, 0, isVowel);
  const r2 = regionAfter(raw, r1, isVowel);
  let word = cutPronoun(raw, rv);
  word = cutStandard(word, r1, r2) ?? cutVerbWithY(word, rv) ?? cutVerb(word, rv) ?? word;
  return cutResidual(word, rv).replace(/[áéíóú]/g, plain);
}

function plain(text: string): string {
  return text.replace(/[áéíóú]/g, (letter) => PLAIN[letter]!);
}

function cutPronoun(word: string, rv: number): string {
  const pronoun = PRONOUNS.longest(word);
  if (!pronoun) return word;
  const rest = without(word, pronoun[0].length);
  const verb = BEFORE_PRONOUN.longest(rest);
  if (!verb || !endsIn(rest, verb[0], rv)) return word;
  if (verb[1] === 'plain') return ending(rest, verb[0].length, plain(verb[0]));
  return verb[1] === 'yendo' && !rest.endsWith('uyendo') ? word : rest;
}

/** Removes a standard suffix. Returns null if the word has none, or has it outside the required region. */
function cutStandard(word: string, r1: number, r2: number): string | null {
  const found = STANDARD.longest(word);
  if (!found || !endsIn(word, found[0], found[1] === 'amente' ? r1 : r2)) return null;
  const [suffix, kind] = found;
  const rest = without(word, suffix.length);
  switch (kind) {
    case 'delete':
      return rest;
    case 'ic':
    case 'at':
      return withoutIn(rest, kind, r2);
    case 'amente':
      return cutBeforeAmente(rest, BEFORE_AMENTE, r2);
    case 'mente':
      return cutLongest(rest, BEFORE_MENTE, r2);
    case 'idad':
      return cutLongest(rest, BEFORE_IDAD, r2);
    default:
      return rest + kind;
  }
}

function cutVerbWithY(word: string, rv: number): string | null {
  const found = VERB_WITH_Y.longest(word, rv);
  const rest = found && without(word, found[0].length);
  return rest?.endsWith('u') ? rest : null;
}

function cutVerb(word: string, rv: number): string | null {
  const found = VERB.longest(word, rv);
  if (!found) return null;
  const rest = without(word, found[0].length);
  return found[1] === 'gu' && rest.endsWith('gu') ? without(rest, 1) : rest;
}

function cutResidual(word: string, rv: number): string {
  const found = RESIDUAL.longest(word);
  if (!found || !endsIn(word, found[0], rv)) return word;
  const rest = without(word, found[0].length);
  return found[1] === 'gu' && rest.endsWith('gu') ? withoutIn(rest, 'u', rv) : rest;
}
