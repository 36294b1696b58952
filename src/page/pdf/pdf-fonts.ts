/**
 * Reads the fonts of a PDF file: the text and the width of each code in the content of a page.
 *
 * The text of a code comes from the font's map to Unicode; without one, from the names of its glyphs
 * (`Differences`, or the encoding in a Type 1 font file); without these, from the encoding that the font
 * names. Text in a font with none of these (codes that are glyph numbers) could only be read by optical
 * character recognition.
 */

import { textOfGlyph } from './glyph-names.ts';
import { type CharacterMap, readCharacterMap } from './pdf-cmap.ts';
import type { PdfDocument } from './pdf-document.ts';
import { type Dictionary, Name, type Value } from './pdf-values.ts';

export interface Font {
  /** The number of bytes per code, 1 or 2. */
  codeBytes: number;
  isBold: boolean;
  textOf(code: number): string;
  /** Returns the width of a code in thousandths of the font size. */
  widthOf(code: number): number;
}

const NO_MAP: CharacterMap = { texts: new Map(), codeBytes: 0 };
const FONT_FILE_BYTES = 100_000;
/**
 * The steps of the work budget that every font costs. A whole font is read before the budget is checked
 * again.
 */
const FONT_STEPS = 100;
/**
 * The number of possible codes of two bytes. MAX_WIDTHS is twice as large, because a font may define some
 * widths twice.
 */
const MAX_RANGE = 0x10000;
const MAX_WIDTHS = 2 * MAX_RANGE;

/**
 * Adobe's standard encoding where it differs from ASCII. Each entry is a code and the names of the glyphs
 * from that code on.
 */
const STANDARD: [number, string][] = [
  [0x27, 'quoteright'],
  [0x60, 'quoteleft'],
  [
    0xa1,
    'exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft',
  ],
  [0xac, 'guilsinglleft guilsinglright fi fl'],
  [0xb1, 'endash dagger daggerdbl periodcentered'],
  [0xb6, 'paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand'],
  [0xbf, 'questiondown'],
  [0xd0, 'emdash'],
  [0xe1, 'AE'],
  [0xe3, 'ordfeminine'],
  [0xe8, 'Lslash Oslash OE ordmasculine'],
  [0xf1, 'ae'],
  [0xf5, 'dotlessi'],
  [0xf8, 'lslash oslash oe germandbls'],
];

/**
 * Encodings of two-byte fonts for East Asian text. Their codes are characters in a text encoding such as GBK.
 */
const CJK_ENCODINGS: [RegExp, string][] = [
  [/UCS2|UTF16/, 'utf-16be'],
  [/^GBK|^GB/, 'gbk'],
  [/^B5|^ETen|^HK/, 'big5'],
  [/RKSJ/, 'shift_jis'],
  [/^EUC/, 'euc-jp'],
  [/^KSC/, 'euc-kr'],
];

export function readFont(document: PdfDocument, font: Dictionary): Font {
  document.budget.step(FONT_STEPS);
  const map = mapOf(document, font);
  const isComposite = document.nameOf(font.get('Subtype')) === 'Type0';
  const base = isComposite ? document.dictionaryOf(document.listOf(font.get('DescendantFonts'))[0]) : font;
  const descriptor = document.dictionaryOf(base.get('FontDescriptor'));
  const fallback = isComposite ? compositeText(document, font) : simpleText(document, font, descriptor);
  return {
    codeBytes: isComposite ? codeBytesOf(document, font, map) : 1,
    isBold: /bold|black|heavy|semibold|cmbx/i.test(document.nameOf(font.get('BaseFont'))),
    textOf: (code) => map.texts.get(code) ?? fallback(code),
    widthOf: isComposite ? compositeWidths(document, base) : simpleWidths(document, font, descriptor),
  };
}

function mapOf(document: PdfDocument, font: Dictionary): CharacterMap {
  const bytes = document.bytesOf(font.get('ToUnicode'));
  return bytes ? readCharacterMap(bytes, document.budget) : NO_MAP;
}

/** Returns the number of bytes per code of a composite font; one byte is very rare. */
function codeBytesOf(document: PdfDocument, font: Dictionary, map: CharacterMap): number {
  const encoding = document.nameOf(font.get('Encoding'));
  if (encoding !== '') return 2;
  const bytes = document.bytesOf(font.get('Encoding'));
  return (bytes && readCharacterMap(bytes, document.budget).codeBytes) || map.codeBytes || 2;
}

function compositeText(document: PdfDocument, font: Dictionary): (code: number) => string {
  const encoding = document.nameOf(font.get('Encoding'));
  const label = CJK_ENCODINGS.find(([pattern]) => pattern.test(encoding))?.[1];
  if (!label) return () => '';
  const decoder = new TextDecoder(label);
  // Caches the text of each code: a decoder call takes about a microsecond, and a text may repeat its codes
  // millions of times.
  const texts = new Map<number, string>();
  return (code) => {
    let text = texts.get(code);
    if (text === undefined) {
      const bytes = Buffer.from(code < 256 ? [code] : [code >> 8, code & 255]);
      text = decoder.decode(bytes).replace('\ufffd', '');
      texts.set(code, text);
    }
    return text;
  };
}

function simpleText(
  document: PdfDocument,
  font: Dictionary,
  descriptor: Dictionary,
): (code: number) => string {
  const encoding = document.resolve(font.get('Encoding'));
  const details: Dictionary = encoding instanceof Map ? encoding : new Map();
  const base = encoding instanceof Name ? encoding.text : document.nameOf(details.get('BaseEncoding'));
  const texts = baseTexts(document, font, descriptor, base);
  const differences = new Map<number, string>();
  let code = 0;
  for (const value of document.listOf(details.get('Differences'))) {
    if (!document.budget.step()) break;
    if (typeof value === 'number') code = value;
    else if (value instanceof Name) differences.set(code++, textOfGlyph(value.text));
  }
  return (at) => differences.get(at) ?? texts.get(at) ?? '';
}

function baseTexts(
  document: PdfDocument,
  font: Dictionary,
  descriptor: Dictionary,
  encoding: string,
): ReadonlyMap<number, string> {
  if (encoding === 'WinAnsiEncoding') return WINDOWS_TEXTS;
  if (encoding === 'MacRomanEncoding') return MACINTOSH_TEXTS;
  const own = fileTexts(document, descriptor);
  if (own.size > 0) return own;
  if (/symbol|dingbats/i.test(document.nameOf(font.get('BaseFont')))) return new Map();
  const isTrueType = document.nameOf(font.get('Subtype')) === 'TrueType';
  return isTrueType ? WINDOWS_TEXTS : STANDARD_TEXTS;
}

/** Reads the encoding of a Type 1 font from the unencrypted part of its file: `dup 12 /fi put`. */
function fileTexts(document: PdfDocument, descriptor: Dictionary): Map<number, string> {
  const texts = new Map<number, string>();
  const file = document.bytesOf(descriptor.get('FontFile'));
  if (!file) return texts;
  const head = file.toString('latin1', 0, FONT_FILE_BYTES).split('eexec', 1)[0]!;
  document.budget.step(head.length / 16);
  for (const [, code, name] of head.matchAll(/dup\s{1,4}(\d{1,3})\s{0,4}\/([\w.]{1,60})\s{1,4}put/g)) {
    texts.set(Number(code), textOfGlyph(name!));
  }
  return texts;
}

function decodedTexts(label: string): Map<number, string> {
  const decoder = new TextDecoder(label);
  return new Map(Array.from({ length: 224 }, (_, i) => [32 + i, decoder.decode(Uint8Array.of(32 + i))]));
}

function standardTexts(): Map<number, string> {
  const texts = new Map(Array.from({ length: 95 }, (_, i) => [32 + i, String.fromCharCode(32 + i)]));
  for (const [first, glyphs] of STANDARD) {
    for (const [i, name] of glyphs.split(' ').entries()) texts.set(first + i, textOfGlyph(name));
  }
  return texts;
}

const WINDOWS_TEXTS = decodedTexts('windows-1252');
const MACINTOSH_TEXTS = decodedTexts('macintosh');
const STANDARD_TEXTS = standardTexts();

function simpleWidths(
  document: PdfDocument,
  font: Dictionary,
  descriptor: Dictionary,
): (code: number) => number {
  const first = document.numberOf(font.get('FirstChar'), 0);
  const list = document.listOf(font.get('Widths'));
  document.budget.step(list.length);
  const widths = list.map((width) => document.numberOf(width, 0));
  const scale = document.nameOf(font.get('Subtype')) === 'Type3' ? type3Scale(document, font) : 1;
  if (widths.length === 0) {
    const isFixed = /courier|mono/i.test(document.nameOf(font.get('BaseFont')));
    return isFixed ? () => 600 : (code) => GUESSED_WIDTHS[code] ?? OTHER_WIDTH;
  }
  const missing = document.numberOf(descriptor.get('MissingWidth'), 0);
  return (code) => (widths[code - first] ?? missing) * scale;
}

/**
 * Returns the factor from the widths of a Type 3 font, which are in units of its font matrix, to thousandths
 * of the font size.
 */
function type3Scale(document: PdfDocument, font: Dictionary): number {
  return document.numberOf(document.listOf(font.get('FontMatrix'))[0], 0.001) * 1000;
}

/**
 * The approximate width of most glyphs of a standard font. Standard fonts may come without widths, and this
 * is exact enough to detect spaces.
 */
const OTHER_WIDTH = 530;
const GUESSED_WIDTHS = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[ijl.,:;'|!IftrJ ()[\]-]/.test(character)) return 290;
  if (/[mwMW@%]/.test(character)) return 830;
  return /[A-Z]/.test(character) ? 680 : OTHER_WIDTH;
});

/**
 * Reads the widths of a composite font. The list `W` has entries `first [w w w]` and `first last w` in any
 * order. Entries after MAX_WIDTHS widths are ignored.
 */
function compositeWidths(document: PdfDocument, base: Dictionary): (code: number) => number {
  const fallback = document.numberOf(base.get('DW'), 1000);
  const widths = new Map<number, number>();
  const list = document.listOf(base.get('W'));
  let room = MAX_WIDTHS;
  for (let i = 0; i + 1 < list.length && room > 0 && !document.budget.isSpent; ) {
    const [first, second, third] = list.slice(i, i + 3).map((value) => document.resolve(value));
    const taken = addWidths(widths, first, second, third, room);
    document.budget.step(1 + taken.widths);
    room -= taken.widths;
    i += taken.values;
  }
  return (code) => widths.get(code) ?? fallback;
}

/**
 * Adds the widths of one entry, at most `room`. Returns the number of widths added and the number of values
 * that the entry has.
 */
function addWidths(
  widths: Map<number, number>,
  first: Value | undefined,
  second: Value | undefined,
  third: Value | undefined,
  room: number,
): { widths: number; values: number } {
  if (typeof first !== 'number') return { widths: 0, values: 1 };
  if (Array.isArray(second)) {
    const count = Math.min(second.length, room);
    for (let i = 0; i < count; i++) {
      const width = second[i];
      if (typeof width === 'number') widths.set(first + i, width);
    }
    return { widths: count, values: 2 };
  }
  if (typeof second !== 'number' || typeof third !== 'number') return { widths: 0, values: 1 };
  const count = Math.max(0, Math.min(second - first + 1, MAX_RANGE, room));
  for (let i = 0; i < count; i++) widths.set(first + i, third);
  return { widths: count, values: 3 };
}
