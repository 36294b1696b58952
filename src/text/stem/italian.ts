/** The Italian stemmer of Snowball. */
import { cutBeforeAmente, cutLongest, cutWithin, romanceRegion } from './romance.ts';
import { endsIn, isVowelOf, regionAfter, SuffixTable, suffixes, without, withoutIn } from './suffixes.ts';

const isVowel = isVowelOf('aeiouàèìòù');
const GRAVE: Record<string, string> = { á: 'à', é: 'è', í: 'ì', ó: 'ò', ú: 'ù', qu: 'qU' };
const PRONOUNS = suffixes(
  'ci gli la le li lo mi ne si ti vi sene gliela gliele glieli glielo gliene mela mele meli melo mene tela tele teli telo tene cela cele celi celo cene vela vele veli velo vene',
);
const BEFORE_PRONOUN = new SuffixTable({ delete: 'ando endo', e: 'ar er ir' });
const STANDARD = new SuffixTable({
  delete:
    'anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti istà istè istì oso osi osa ose mente atrice atrici ante anti',
  ic: 'azione azioni atore atori',
  log: 'logia logie',
  u: 'uzione uzioni usione usioni',
  ente: 'enza enze',
  rv: 'amento amenti imento imenti',
  amente: 'amente',
  ita: 'ità',
  at: 'ivo ivi iva ive',
});
const BEFORE_AMENTE = suffixes('iv os ic abil');
const BEFORE_ITA = suffixes('abil ic iv');
const VERB = suffixes(
  'ammo ando ano are arono asse assero assi assimo ata ate ati ato ava avamo avano avate avi avo emmo enda ende endi endo erà erai eranno ere erebbe erebbero erei eremmo eremo ereste eresti erete erò erono essero ete eva evamo evano evate evi evo Yamo iamo immo irà irai iranno ire irebbe irebbero irei iremmo iremo ireste iresti irete irò irono isca iscano isce isci isco iscono issero ita ite iti ito iva ivamo ivano ivate ivi ivo ono uta ute uti uto ar ir',
);

export function stemItalian(raw: string): string {
  const start = markConsonants(raw.replace(/[áéíóú]|qu/g, (found) => GRAVE[found]!));
  const rv = romanceRegion(start, isVowel);
  const r1 = regionAfter(start, 0, isVowel);
  const r2 = regionAfter(start, r1, isVowel);
  const word = cutPronoun(start, rv);
  return cutVowel(cutStandard(word, rv, r1, r2) ?? cutWithin(word, VERB, rv) ?? word, rv).toLowerCase();
}

/** Writes `u` and `i` between vowels in upper case, because they are consonants there. */
function markConsonants(word: string): string {
  let out = word;
  for (let i = 1; i < word.length - 1; i++) {
    const isBetween = /[ui]/.test(word[i]!) && isVowel(out[i - 1]) && isVowel(word[i + 1]);
    if (isBetween) out = out.slice(0, i) + word[i]!.toUpperCase() + out.slice(i + 1);
  }
  return out;
}

function cutPronoun(word: string, rv: number): string {
  const pronoun = PRONOUNS.longest(word);
  if (!pronoun) return word;
  const rest = without(word, pronoun[0].length);
  const verb = BEFORE_PRONOUN.longest(rest);
  if (!verb || !endsIn(rest, verb[0], rv)) return word;
  return verb[1] === 'e' ? `${rest}e` : rest;
}

/** Removes a standard suffix. Returns null if the word has none, or has it outside the required region. */
function cutStandard(word: string, rv: number, r1: number, r2: number): string | null {
  const found = STANDARD.longest(word);
  if (!found) return null;
  const [suffix, kind] = found;
  if (!endsIn(word, suffix, kind === 'rv' ? rv : kind === 'amente' ? r1 : r2)) return null;
  const rest = without(word, suffix.length);
  switch (kind) {
    case 'delete':
    case 'rv':
      return rest;
    case 'ic':
      return withoutIn(rest, 'ic', r2);
    case 'at':
      return endsIn(rest, 'at', r2) ? withoutIn(without(rest, 2), 'ic', r2) : rest;
    case 'amente':
      return cutBeforeAmente(rest, BEFORE_AMENTE, r2);
    case 'ita':
      return cutLongest(rest, BEFORE_ITA, r2);
    default:
      return rest + kind;
  }
}

function cutVowel(word: string, rv: number): string {
  let rest = word;
  if (/[aeioàèìò]$/.test(rest) && rest.length > rv) rest = withoutIn(without(rest, 1), 'i', rv);
  return /[cg]h$/.test(rest) && rest.length - 2 >= rv ? without(rest, 1) : rest;
}
