/** The French stemmer of Snowball. */
import {
  ending,
  endsIn,
  indexAfter,
  isVowelOf,
  regionAfter,
  SuffixTable,
  suffixes,
  without,
  withoutIn,
} from './suffixes.ts';

const isVowel = isVowelOf('aeiouyâàëéêèïîôûù');
const STANDARD = new SuffixTable({
  delete: 'ance iqUe isme able iste eux ances iqUes ismes ables istes',
  ic: 'atrice ateur ation atrices ateurs ations',
  log: 'logie logies',
  u: 'usion ution usions utions',
  ent: 'ence ences',
  ement: 'ement ements',
  ite: 'ité ités',
  if: 'if ive ifs ives',
  eau: 'eaux',
  al: 'aux',
  eux: 'euse euses',
  issement: 'issement issements',
  amment: 'amment',
  emment: 'emment',
  ment: 'ment ments',
});
const BEFORE_EMENT = new SuffixTable({ iv: 'iv', eus: 'eus', delete: 'abl iqU', i: 'ièr Ièr' });
const BEFORE_ITE = new SuffixTable({ abl: 'abil', iqU: 'ic', '': 'iv' });
const VERB_WITH_I = suffixes(
  'îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez irions irons iront is issaIent issais issait issant issante issantes issants isse issent isses issez issiez issions issons it',
);
const VERB = new SuffixTable({
  ions: 'ions',
  delete: 'é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez iez',
  e: 'âmes ât âtes a ai aIent ais ait ant ante antes ants as asse assent asses assiez assions',
});
const RESIDUAL = new SuffixTable({ ion: 'ion', i: 'ier ière Ier Ière', e: 'e' });

interface Regions {
  rv: number;
  r1: number;
  r2: number;
}

export function stemFrench(raw: string): string {
  const start = markConsonants(raw);
  const r1 = regionAfter(start, 0, isVowel);
  const regions = { rv: verbRegion(start), r1, r2: regionAfter(start, r1, isVowel) };
  const { word: reduced, isCut } = cutStandard(start, regions);
  const cut = isCut ? reduced : (cutVerbWithI(reduced, regions) ?? cutVerb(reduced, regions));
  const word = cut === null ? cutResidual(reduced, regions) : finalConsonant(cut);
  return unmarked(plainLast(undouble(word)));
}

/** Writes vowels that act as consonants in upper case, from left to right. `ë` and `ï` become `He` and `Hi`. */
function markConsonants(word: string): string {
  const letters = [...word];
  for (let at = 0; at < letters.length; at++) {
    const next = letters[at + 1];
    const beforeVowel = isVowel(letters[at + 2]);
    if (isVowel(letters[at]) && (next === 'y' || ((next === 'u' || next === 'i') && beforeVowel))) {
      letters[at + 1] = next.toUpperCase();
    }
    if (letters[at] === 'ë') letters[at] = 'He';
    else if (letters[at] === 'ï') letters[at] = 'Hi';
    else if (letters[at] === 'y' && isVowel(letters[at + 1])) letters[at] = 'Y';
    else if (letters[at] === 'q' && next === 'u') letters[at + 1] = 'U';
  }
  return letters.join('');
}

function verbRegion(word: string): number {
  const isSpecial =
    (isVowel(word[0]) && isVowel(word[1]) && word.length > 2) || /^(?:par|col|tap)/.test(word);
  return isSpecial ? 3 : indexAfter(word, 1, isVowel);
}

/**
 * Removes a standard suffix. `isCut` is false for an adverb that is reduced to a participle: the ending of the
 * participle is then removed like the ending of a verb.
 */
function cutStandard(word: string, { rv, r1, r2 }: Regions): { word: string; isCut: boolean } {
  const no = { word, isCut: false };
  const found = STANDARD.longest(word);
  if (!found) return no;
  const [suffix, kind] = found;
  const rest = without(word, suffix.length);
  const cut = (result: string) => ({ word: result, isCut: true });
  const inR2 = rest.length >= r2;
  switch (kind) {
    case 'delete':
      return inR2 ? cut(rest) : no;
    case 'ic':
      return inR2 ? cut(cutIc(rest, r2)) : no;
    case 'log':
    case 'u':
    case 'ent':
      return inR2 ? cut(rest + kind) : no;
    case 'ement':
      return rest.length >= rv ? cut(cutBeforeEment(rest, { rv, r1, r2 })) : no;
    case 'ite':
      return inR2 ? cut(cutBeforeIte(rest, r2)) : no;
    case 'if':
      return inR2 ? cut(endsIn(rest, 'at', r2) ? cutIc(without(rest, 2), r2) : rest) : no;
    case 'eau':
      return cut(`${rest}eau`);
    case 'al':
      return rest.length >= r1 ? cut(`${rest}al`) : no;
    case 'eux':
      return inR2 ? cut(rest) : rest.length >= r1 ? cut(`${rest}eux`) : no;
    case 'issement':
      return rest.length >= r1 && rest !== '' && !isVowel(rest.at(-1)) ? cut(rest) : no;
    case 'amment':
      return rest.length >= rv ? { word: `${rest}ant`, isCut: false } : no;
    case 'emment':
      return rest.length >= rv ? { word: `${rest}ent`, isCut: false } : no;
    case 'ment':
      return rest.length > rv && isVowel(rest.at(-1)) ? { word: rest, isCut: false } : no;
  }
}

function cutIc(word: string, r2: number): string {
  if (!word.endsWith('ic')) return word;
  return word.length - 2 >= r2 ? without(word, 2) : ending(word, 2, 'iqU');
}

function cutBeforeEment(word: string, { rv, r1, r2 }: Regions): string {
  const found = BEFORE_EMENT.longest(word);
  if (!found) return word;
  const [suffix, kind] = found;
  const rest = without(word, suffix.length);
  if (kind === 'i') return rest.length >= rv ? `${rest}i` : word;
  if (rest.length >= r2) return kind === 'iv' ? withoutIn(rest, 'at', r2) : rest;
  return kind === 'eus' && rest.length >= r1 ? `${rest}eux` : word;
}

function cutBeforeIte(word: string, r2: number): string {
  const found = BEFORE_ITE.longest(word);
  if (!found) return word;
  const rest = without(word, found[0].length);
  if (rest.length >= r2) return rest;
  return found[1] === '' ? word : rest + found[1];
}

function cutVerbWithI(word: string, { rv }: Regions): string | null {
  const found = VERB_WITH_I.longest(word, rv);
  if (!found) return null;
  const rest = without(word, found[0].length);
  return rest.length > rv && !rest.endsWith('H') && !isVowel(rest.at(-1)) ? rest : null;
}

function cutVerb(word: string, { rv, r2 }: Regions): string | null {
  const found = VERB.longest(word, rv);
  if (!found) return null;
  const rest = without(word, found[0].length);
  if (found[1] === 'ions') return rest.length >= r2 ? rest : null;
  return found[1] === 'e' ? withoutIn(rest, 'e', rv) : rest;
}

function finalConsonant(word: string): string {
  if (word.endsWith('Y')) return ending(word, 1, 'i');
  return word.endsWith('ç') ? ending(word, 1, 'c') : word;
}

function cutResidual(word: string, { rv, r2 }: Regions): string {
  const isPlural = word.endsWith('s') && (word.endsWith('His') || /[^aiouès]s$/.test(word));
  const single = isPlural ? without(word, 1) : word;
  const found = RESIDUAL.longest(single, rv);
  if (!found) return single;
  const [suffix, kind] = found;
  const rest = without(single, suffix.length);
  if (kind === 'ion') return rest.length >= r2 && rest.length > rv && /[st]$/.test(rest) ? rest : single;
  return kind === 'i' ? `${rest}i` : rest;
}

function undouble(word: string): string {
  return /(?:enn|onn|ett|ell|eill)$/.test(word) ? without(word, 1) : word;
}

function plainLast(word: string): string {
  return word.replace(/[éè]([^aeiouyâàëéêèïîôûù]+)$/, 'e$1');
}

function unmarked(word: string): string {
  return word.replaceAll('He', 'ë').replaceAll('Hi', 'ï').replaceAll('H', '').toLowerCase();
}
