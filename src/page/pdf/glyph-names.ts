/**
 * Maps names of glyphs in PDF fonts to characters. The list has the names from Adobe's list that text in
 * Latin and Greek letters uses. Accented letters are not listed: their names are a letter and an accent,
 * which Unicode composes.
 */

const ACCENTS: Record<string, string> = {
  grave: '\u0300',
  acute: '\u0301',
  circumflex: '\u0302',
  tilde: '\u0303',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  dieresis: '\u0308',
  ring: '\u030a',
  hungarumlaut: '\u030b',
  caron: '\u030c',
  cedilla: '\u0327',
  commaaccent: '\u0326',
  ogonek: '\u0328',
};

/** The named glyphs. Each entry is a character, then its names. */
const NAMED = `
! exclam|" quotedbl|# numbersign|$ dollar|% percent|& ampersand|' quotesingle|( parenleft|) parenright|* asterisk
+ plus|, comma|- hyphen minus sfthyphen|. period|/ slash fraction|0 zero|1 one|2 two|3 three|4 four|5 five|6 six|7 seven|8 eight
9 nine|: colon|; semicolon|< less|= equal|> greater|? question|@ at|[ bracketleft|\\ backslash|] bracketright
^ asciicircum|_ underscore|\` grave|{ braceleft|} braceright|~ asciitilde|¡ exclamdown|¢ cent|£ sterling|¤ currency
¥ yen|¦ brokenbar|§ section|© copyright|ª ordfeminine|« guillemotleft|¬ logicalnot|® registered|° degree
± plusminus|² twosuperior|³ threesuperior|µ mu|¶ paragraph|· periodcentered middot|¹ onesuperior|º ordmasculine
» guillemotright|¼ onequarter|½ onehalf|¾ threequarters|¿ questiondown|Æ AE|æ ae|Ø Oslash|ø oslash|ß germandbls
Þ Thorn|þ thorn|Ð Eth|ð eth|Ł Lslash|ł lslash|Œ OE|œ oe|ı dotlessi|Đ Dcroat|đ dcroat|× multiply|÷ divide
– endash|— emdash|‘ quoteleft|’ quoteright|‚ quotesinglbase|“ quotedblleft|” quotedblright|„ quotedblbase
‹ guilsinglleft|› guilsinglright|† dagger|‡ daggerdbl|• bullet|… ellipsis|‰ perthousand|€ Euro|™ trademark
ff ff|fi fi|fl fl|ffi ffi|ffl ffl|− minus|→ arrowright|← arrowleft|≤ lessequal|≥ greaterequal|≠ notequal|∞ infinity
∑ summation|∏ product|√ radical|∂ partialdiff|∫ integral|≈ approxequal|∈ element|Ω Omega|Δ Delta|∅ emptyset
`;
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega';

const names = new Map<string, string>([
  ['space', ' '],
  ['nbspace', ' '],
  ['sigma1', 'ς'],
]);
for (const row of NAMED.trim().split(/[|\n]/)) {
  const [character, ...all] = row.split(' ');
  for (const name of all) names.set(name, character!);
}
for (const [i, name] of GREEK.split(' ').entries()) {
  if (!names.has(name)) names.set(name, String.fromCharCode(0x391 + i));
  const small = name.toLowerCase();
  if (!names.has(small)) names.set(small, String.fromCharCode(0x3b1 + i));
}

/** Returns the text of a glyph by its name; the empty string if the name is unknown. */
export function textOfGlyph(name: string): string {
  const plain = name.split('.', 1)[0]!;
  const known = names.get(plain);
  if (known !== undefined) return known;
  if (/^[A-Za-z]$/.test(plain)) return plain;
  const hex = /^uni((?:[0-9A-F]{4})+)$/.exec(plain)?.[1] ?? /^u([0-9A-F]{4,6})$/.exec(plain)?.[1];
  return hex ? fromHex(hex, plain.startsWith('uni')) : composed(plain);
}

function composed(name: string): string {
  const accent = name.slice(1);
  if (Object.hasOwn(ACCENTS, accent)) return (name[0]! + ACCENTS[accent]!).normalize('NFC');
  // `f_i` is the name of a ligature of the letters f and i.
  return name.includes('_') && name.length < 40 ? name.split('_').map(textOfGlyph).join('') : '';
}

function fromHex(hex: string, isByFour: boolean): string {
  const codes = isByFour ? hex.match(/.{4}/g)! : [hex];
  return codes
    .map((code) => Number.parseInt(code, 16))
    .filter((code) => code <= 0x10ffff && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .join('');
}
