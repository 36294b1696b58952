/**
 * Finds units by the names that people use. unit-table.ts lists the basic units. Others are derived from
 * them: squares and cubes of a length (`sq ft`, `Quadratmeter`, `m3`), and ratios of two units (`km/h`,
 * `miles per hour`, `MB/s`), whose quantity is written `length/time`. Temperatures also have an offset.
 */

import { folded } from '../asking/mod.ts';
import { QUESTION_LANGUAGES, wordAmong } from '../questions/mod.ts';
import { divide, type Fraction, fraction, multiply, near, parseDecimal } from './fraction.ts';
import { UNIT_NAMES } from './unit-names.ts';
import { UNIT_ROWS } from './unit-table.ts';

export interface Unit {
  quantity: string;
  /** The symbol that is written after a number. */
  symbol: string;
  /** The value of one unit in base units. */
  factor: Fraction;
  /**
   * The offset of a temperature: the number that is added to an amount before it is multiplied by `factor`.
   */
  offset?: Fraction;
}

/**
 * The rules by which squares and cubes of a length are derived. `scale` converts a square or cubic metre to
 * the base unit: the square metre for areas, the litre for volumes.
 */
const POWERS = [
  { form: 'square', sign: '²', figure: '2', quantity: 'area', scale: fraction(1n) },
  { form: 'cubic', sign: '³', figure: '3', quantity: 'volume', scale: fraction(1000n) },
] as const;
/** The maximum length of the name of a unit. */
const MAX_NAME = 50;

const EXACT = new Map<string, Unit>();
const FOLDED = new Map<string, Unit>();
for (const [quantity, symbol, factor, names] of UNIT_ROWS)
  name(names, { quantity, symbol, factor: ratio(factor) });
name('C °C celsius centigrade', {
  ...{ quantity: 'temperature', symbol: '°C' },
  ...{ factor: fraction(1n), offset: ratio('273.15') },
});
name('F °F fahrenheit', {
  ...{ quantity: 'temperature', symbol: '°F' },
  ...{ factor: ratio('5/9'), offset: ratio('459.67') },
});
for (const unit of new Set(EXACT.values())) name(UNIT_NAMES[unit.symbol] ?? '', unit);

/**
 * Finds a unit by name: first in the exact spelling, then without case. `MB` and `mb` are megabytes, `b` is a
 * bit.
 */
export function findUnit(text: string): Unit | null {
  if (text.length > MAX_NAME) return null;
  return EXACT.get(text) ?? FOLDED.get(folded(text)) ?? temperature(text) ?? powerOf(text) ?? rateOf(text);
}

/** Finds a temperature. `degrees Celsius` is the same unit as `Celsius`. */
function temperature(text: string): Unit | null {
  const [degrees, scale, more] = text.split(' ');
  if (scale === undefined || more !== undefined || knownUnit(degrees!)?.symbol !== '°') return null;
  const unit = knownUnit(scale);
  return unit?.quantity === 'temperature' ? unit : null;
}

function powerOf(text: string): Unit | null {
  for (const { form, sign, figure, quantity, scale } of POWERS) {
    const length = lengthIn(text, form, sign, figure);
    if (!length) continue;
    const steps = Array.from({ length: Number(figure) }, () => length.factor);
    return { quantity, symbol: `${length.symbol}${sign}`, factor: steps.reduce(multiply, scale) };
  }
  return null;
}

/**
 * Returns the unit of length in the name of an area or volume: `m` in `m²`, `m2`, `m^2`, `sq m`, `sqm`,
 * `square metres`, `mètres carrés`, `Quadratmeter`.
 */
function lengthIn(text: string, form: 'square' | 'cubic', sign: string, figure: string): Unit | null {
  const plain = text.toLowerCase();
  const words = text.split(' ').filter((word) => !wordAmong(word, [form]));
  const glued = Object.values(QUESTION_LANGUAGES).flatMap((forms) =>
    forms[form].filter((each) => plain.startsWith(each)),
  );
  const bare = [
    ...(words.length < text.split(' ').length ? [words.join(' ')] : []),
    ...glued.map((each) => text.slice(each.length)),
    ...[sign, `^${figure}`, figure]
      .filter((end) => text.endsWith(end))
      .map((end) => text.slice(0, -end.length)),
  ];
  return bare.map(knownUnit).find((unit) => unit?.quantity === 'length') ?? null;
}

function rateOf(text: string): Unit | null {
  const [, above, below] = /^([^/]+) ?\/ ?([^/]+)$/.exec(text) ?? splitAtPer(text);
  const [amount, each] = [above, below].map((part) => part && (knownUnit(part) ?? powerOf(part)));
  if (!amount || !each || amount.offset || each.offset) return null;
  return {
    quantity: `${amount.quantity}/${each.quantity}`,
    symbol: `${amount.symbol}/${each.symbol}`,
    factor: divide(amount.factor, each.factor),
  };
}

function splitAtPer(text: string): string[] {
  const words = text.split(' ');
  const at = words.findIndex((word) => wordAmong(word, ['per']));
  return at < 1 ? [] : [text, words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
}

function knownUnit(text: string): Unit | null {
  return EXACT.get(text) ?? FOLDED.get(folded(text)) ?? null;
}

/** Registers the names of a unit. A name that is already registered keeps its unit. */
function name(names: string, unit: Unit): void {
  for (const each of names.split(' ').filter((part) => part !== '')) {
    const spaced = each.replaceAll('_', ' ');
    if (!EXACT.has(spaced)) EXACT.set(spaced, unit);
    if (!FOLDED.has(folded(spaced))) FOLDED.set(folded(spaced), unit);
  }
}

function ratio(text: string): Fraction {
  if (text.startsWith('≈')) return near(Number(text.slice(1)));
  const [above, below] = text.split('/');
  return below === undefined ? parseDecimal(above!) : divide(parseDecimal(above!), parseDecimal(below));
}
