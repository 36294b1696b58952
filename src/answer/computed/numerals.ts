/**
 * Writes a number in another numeral system: `255 in hex`, `0b1010 in decimal`, `hex ff to decimal`, `2024 in
 * roman numerals`, `0.75 as a fraction`. The number may be an expression: `2^10 in binary`.
 */
import { type AnswerBox, type AnswerContext, computed } from '../answer-box.ts';
import { plainFigures, readings, wordAmong } from '../questions/mod.ts';
import { calculate } from './expression.ts';
import { CalculationError, type Fraction, formatFraction, fraction } from './fraction.ts';

const SYSTEMS = ['binary', 'octal', 'decimal', 'hexadecimal', 'roman', 'fraction'] as const;
type System = (typeof SYSTEMS)[number];

const BASES: Partial<Record<System, { radix: number; prefix: string; digits: RegExp }>> = {
  binary: { radix: 2, prefix: '0b', digits: /^[01]+$/ },
  octal: { radix: 8, prefix: '0o', digits: /^[0-7]+$/ },
  hexadecimal: { radix: 16, prefix: '0x', digits: /^[\da-f]+$/i },
};

/**
 * The Roman numerals in the order in which they are written. Each numeral is repeated as often as its value
 * fits into the rest of the number.
 */
const ROMAN: readonly (readonly [letters: string, value: number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
];
const MAX_ROMAN = 3999;

interface Task {
  number: string;
  value: Fraction;
  system: System;
}

export const numerals: AnswerBox = {
  name: 'numerals',
  cacheMs: 0,
  matches: (query, context) => taskOf(query, context) !== null,
  answer(query, context) {
    const { number, value, system } = taskOf(query, context)!;
    const title = write(value, system, context);
    return title === null ? null : computed('calculation', title, `${number} =`, context);
  },
};

function taskOf(query: string, { words }: AnswerContext): Task | null {
  for (const { number, system: name } of readings('numeral', query)) {
    const system = wordAmong(name!, SYSTEMS);
    const value = system && readNumber(number!, words.tag);
    const isRoman = system === 'roman' && /^[mdclxvi]+$/i.test(number!);
    if (system && value) return { number: number!, value, system: isRoman ? 'decimal' : system };
  }
  return null;
}

/**
 * Parses a number. Hexadecimal letters such as `ff` are a number only together with the name of the system:
 * `hex ff`, `ff hex`.
 */
function readNumber(text: string, language: string): Fraction | null {
  const [first = '', second = ''] = text.split(' ');
  for (const [name, digits] of [[first, second] as const, [second, first] as const]) {
    const base = BASES[wordAmong(name, SYSTEMS) ?? 'decimal'];
    if (base?.digits.test(digits)) return fraction(BigInt(base.prefix + digits));
  }
  if (/^[mdclxvi]+$/i.test(text)) return readRoman(text);
  try {
    return calculate(plainFigures(text, language));
  } catch (error) {
    if (error instanceof CalculationError) return null;
    throw error;
  }
}

/** Writes a number in a numeral system. Returns null if the number cannot be written in this system. */
function write(value: Fraction, system: System, { words }: AnswerContext): string | null {
  const { numerator, denominator, isExact } = value;
  if (system === 'decimal') return words.figure(formatFraction(value));
  if (!isExact) return null;
  if (system === 'fraction') return `${numerator}/${denominator}`.replace('-', '−');
  if (denominator !== 1n) return null;
  if (system === 'roman') return writeRoman(Number(numerator));
  const { radix, prefix } = BASES[system]!;
  const size = numerator < 0n ? -numerator : numerator;
  return `${numerator < 0n ? '−' : ''}${prefix}${size.toString(radix).toUpperCase()}`;
}

function writeRoman(value: number): string | null {
  if (value < 1 || value > MAX_ROMAN) return null;
  let [written, left] = ['', value];
  for (const [letters, worth] of ROMAN) {
    written += letters.repeat(Math.floor(left / worth));
    left %= worth;
  }
  return written;
}

/**
 * Parses a Roman numeral. Only the canonical form is accepted: `IIII` is rejected because 4 is written `IV`.
 */
function readRoman(text: string): Fraction | null {
  const letters = text.toUpperCase();
  let [value, at] = [0, 0];
  for (const [each, worth] of ROMAN) {
    while (letters.startsWith(each, at) && value <= MAX_ROMAN) {
      value += worth;
      at += each.length;
    }
  }
  return writeRoman(value) === letters ? fraction(BigInt(value)) : null;
}
