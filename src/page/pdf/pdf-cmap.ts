/**
 * Character maps: which characters a code of a font stands for (`ToUnicode`), and how long codes are.
 *
 *   1 beginbfchar <0003> <0020> endbfchar
 *   1 beginbfrange <0010> <0012> <0041> endbfrange      or a list: <10> <12> [<41> <42> <43>]
 */
import { END, Keyword, type Value, ValueReader } from './pdf-values.ts';

export interface CharacterMap {
  /** Code to characters. */
  texts: Map<number, string>;
  /** 1 or 2; 0 if it does not say. */
  codeBytes: number;
}

const MAX_CODES = 100_000;

export function readCharacterMap(source: Buffer): CharacterMap {
  const map: CharacterMap = { texts: new Map(), codeBytes: 0 };
  const reader = new ValueReader(source);
  let operands: Value[] = [];
  for (let value = reader.read(); value !== END; value = reader.read()) {
    if (!(value instanceof Keyword)) {
      operands.push(value);
      continue;
    }
    if (value.text === 'endbfchar') addCharacters(map, operands);
    else if (value.text === 'endbfrange') addRanges(map, operands);
    else if (value.text === 'endcodespacerange') map.codeBytes = codeBytesOf(operands);
    operands = [];
  }
  return map;
}

function codeBytesOf(operands: readonly Value[]): number {
  const lengths = operands.filter((value) => typeof value === 'string').map((value) => value.length);
  return lengths.length === 0 ? 0 : Math.min(2, Math.max(...lengths.slice(0, 100)));
}

function addCharacters({ texts }: CharacterMap, operands: readonly Value[]): void {
  for (let i = 0; i + 1 < operands.length && texts.size < MAX_CODES; i += 2) {
    texts.set(codeOf(operands[i]!), utf16(operands[i + 1]!));
  }
}

function addRanges({ texts }: CharacterMap, operands: readonly Value[]): void {
  for (let i = 0; i + 2 < operands.length; i += 3) {
    const first = codeOf(operands[i]!);
    const last = Math.min(codeOf(operands[i + 1]!), first + 0xffff);
    const target = operands[i + 2]!;
    for (let code = first; code <= last && texts.size < MAX_CODES; code++) {
      texts.set(
        code,
        Array.isArray(target) ? utf16(target[code - first] ?? '') : later(utf16(target), code - first),
      );
    }
  }
}

/** The text whose last character comes `steps` later. */
function later(text: string, steps: number): string {
  if (text === '') return '';
  const last = text.codePointAt(text.length - 1)! + steps;
  return last > 0xffff ? text : text.slice(0, -1) + String.fromCharCode(last);
}

function codeOf(value: Value): number {
  if (typeof value !== 'string') return -1;
  return [...value.slice(-4)].reduce((code, character) => code * 256 + character.charCodeAt(0), 0);
}

function utf16(value: Value): string {
  if (typeof value !== 'string') return '';
  const bytes = Buffer.from(value.slice(0, 64), 'latin1');
  return bytes.length === 1
    ? value
    : bytes
        .subarray(0, bytes.length & ~1)
        .swap16()
        .toString('utf16le');
}
