/** The Swedish stemmer of Snowball. */
import { isVowelOf, regionAfter, SuffixTable, suffixes, without } from './suffixes.ts';

const isVowel = isVowelOf('aeiouyäåö');
const MAIN = new SuffixTable({
  delete:
    'a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as arnas ernas ornas es ades andes ens arens hetens erns at andet het ast',
  s: 's',
});
const PAIRS = suffixes('dd gd nn dt gt kt tt');
const OTHER = new SuffixTable({ delete: 'lig ig els', t: 'löst fullt' });

export function stemSwedish(raw: string): string {
  if (raw.length < 3) return raw;
  const r1 = Math.max(3, regionAfter(raw, 0, isVowel));
  let word = raw;
  const main = MAIN.longest(word, r1);
  if (main && (main[1] === 'delete' || /[bcdfghjklmnoprtvy]s$/.test(word)))
    word = without(word, main[0].length);
  if (PAIRS.longest(word, r1)) word = without(word, 1);
  const other = OTHER.longest(word, r1);
  if (!other) return word;
  return without(word, other[1] === 't' ? 1 : other[0].length);
}
