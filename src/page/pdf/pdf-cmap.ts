/**
 * Reads the character map of a PDF font (`ToUnicode`): the text of each code, and the number of bytes per
 * code.
 *
 *   1 beginbfchar <0003> <0020> endbfchar
 *   1 beginbfrange <0010> <0012> <0041> endbfrange      or a list: <10> <12> [<41> <42> <43>]
 */
import type { WorkBudget } from '../../base/mod.ts';
import { Keyword, PDF_END, type Value, ValueReader } from './pdf-values.ts';

export interface CharacterMap {
  /** The text that each character code of the font means. */
  texts: Map<number, string>;
  /** The number of bytes per code, 1 or 2; 0 if the map does not define it. */
  codeBytes: number;
}

/** The steps of the work budget that each code of a range costs. */
const CODE_STEPS = 2;
/** The maximum number of codes in all ranges. Codes that are defined twice count twice. */
const MAX_CODES = 2 * 0x10000;

export function readCharacterMap(source: Buffer, budget: WorkBudget): CharacterMap {
  const map: CharacterMap = { texts: new Map(), codeBytes: 0 };
  const reader = new ValueReader(source, budget);
  let room = MAX_CODES;
  let operands: Value[] = [];
  for (let value = reader.read(); value !== PDF_END; value = reader.read()) {
    if (!(value instanceof Keyword)) {
      operands.push(value);
      continue;
    }
    if (value.text === 'endbfchar') room -= addCharacters(map, operands, room);
    else if (value.text === 'endbfrange') room -= addRanges(map, operands, room, budget);
    else if (value.text === 'endcodespacerange') map.codeBytes = codeBytesOf(operands);
    operands = [];
  }
  return map;
}

function codeBytesOf(operands: readonly Value[]): number {
  const lengths = operands.filter((value) => typeof value === 'string').map((value) => value.length);
  return lengths.length === 0 ? 0 : Math.min(2, Math.max(...lengths.slice(0, 100)));
}

/** Adds the codes of a `bfchar` list, at most `room` of them. Returns the number of codes added. */
function addCharacters({ texts }: CharacterMap, operands: readonly Value[], room: number): number {
  const count = Math.min(operands.length >> 1, room);
  for (let i = 0; i < count; i++) texts.set(codeOf(operands[2 * i]!), utf16(operands[2 * i + 1]!));
  return count;
}

/** Adds the codes of a `bfrange` list, at most `room` of them. Returns the number of codes added. */
function addRanges(
  { texts }: CharacterMap,
  operands: readonly Value[],
  room: number,
  budget: WorkBudget,
): number {
  let count = 0;
  for (let i = 0; i + 2 < operands.length && count < room; i += 3) {
    const first = codeOf(operands[i]!);
    const length = Math.min(codeOf(operands[i + 1]!) - first + 1, 0x10000, room - count);
    const target = operands[i + 2]!;
    const text = utf16(target);
    for (let at = 0; at < length && budget.step(CODE_STEPS); at++) {
      texts.set(first + at, Array.isArray(target) ? utf16(target[at] ?? '') : later(text, at));
    }
    count += Math.max(0, length);
  }
  return count;
}

/** Returns the text with its last character advanced by `steps` code points: `A` and 2 give `C`. */
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
