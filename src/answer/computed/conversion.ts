/**
 * Converts units, as in `5 miles in km`, `5 ft 6 in to cm`, `how many cups in a gallon`, `170 cm in feet and
 * inches` or `wie viele Meter sind 5 Meilen`. A ratio also converts to its inverse: litres per 100 km to
 * miles per gallon. Currencies are not supported, because exchange rates change.
 */
import { FUNCTION_WORDS } from '../../query/mod.ts';
import { type AnswerBox, type AnswerContext, computed } from '../answer-box.ts';
import { readings, wordAmong } from '../questions/mod.ts';
import {
  add,
  CalculationError,
  divide,
  type Fraction,
  formatFraction,
  fraction,
  multiply,
  negate,
} from './fraction.ts';
import { baseAmount, type Quantity, readQuantity } from './quantities.ts';
import { findUnit, type Unit } from './units.ts';

interface Task {
  quantity: Quantity;
  /** The units of the result: several for `feet and inches`, otherwise one. */
  into: readonly Unit[];
}

/** The number of digits of a rounded result, which is enough for everyday measurements. */
const SHOWN_DIGITS = 7;
const DIGITS_OF_LAST = 4;
const ONE = fraction(1n);
const FLUID_OUNCE = findUnit('fl oz')!;

export const conversion: AnswerBox = {
  name: 'conversion',
  cacheMs: 0,
  matches: (query, context) => taskOf(query, context) !== null,
  answer(query, context) {
    const task = taskOf(query, context)!;
    const { parts, isNegative } = task.quantity;
    const asked = parts.map(({ amount, unit }) => `${written(amount, context)} ${unit.symbol}`).join(' ');
    const title = convert(task, context);
    return title === null
      ? null
      : computed('conversion', title, `${isNegative ? '−' : ''}${asked} =`, context);
  },
};

function taskOf(query: string, { words }: AnswerContext): Task | null {
  for (const values of readings('convert', query)) {
    const into = unitsOf(values.into!);
    const quantity = into && readQuantity(values.quantity!, words.tag);
    const task = into && quantity && withFluids({ quantity, into });
    if (!task || !isComparable(task.quantity.parts[0]!.unit, task.into[0]!)) continue;
    if (/\d/.test(values.quantity!) || isMeant(values.quantity!, values.into!)) return task;
  }
  return null;
}

/** Replaces ounces by fluid ounces when converting from or to a volume: `12 oz in ml`. */
function withFluids({ quantity, into }: Task): Task {
  const [{ amount, unit }] = quantity.parts as [Quantity['parts'][number]];
  if (unit.symbol === 'oz' && into[0]!.quantity === 'volume')
    return { into, quantity: { ...quantity, parts: [{ amount, unit: FLUID_OUNCE }] } };
  return into[0]!.symbol === 'oz' && unit.quantity === 'volume'
    ? { quantity, into: [FLUID_OUNCE] }
    : { quantity, into };
}

/**
 * Returns true if the query is meant as a conversion. Without a number, the two unit names must be different, and
 * neither may be a function word: `cm to inches`, but not `day to day` or `in in to`.
 */
function isMeant(quantity: string, into: string): boolean {
  return quantity !== into && [quantity, into].every((name) => !FUNCTION_WORDS.has(name.toLowerCase()));
}

/**
 * Parses one unit, or several units of the same quantity, the larger unit first: `feet and inches`, `ft in`.
 */
function unitsOf(text: string): Unit[] | null {
  const one = findUnit(text);
  if (one) return [one];
  const names = text.split(/,? /).filter((word) => !wordAmong(word, ['and']));
  const units = names.map(findUnit);
  const isKind = units.every((unit) => unit && !unit.offset && unit.quantity === units[0]!.quantity);
  return names.length > 1 && names.length < 4 && isKind ? (units as Unit[]) : null;
}

/**
 * Returns true if one unit can be converted to the other: both measure the same quantity, or inverse ratios
 * such as distance per fuel and fuel per distance.
 */
function isComparable(a: Unit, b: Unit): boolean {
  return a.quantity === b.quantity || a.quantity.split('/').reverse().join('/') === b.quantity;
}

/**
 * Converts a quantity and formats the result; null if there is no result, for example for 0 litres per 100 km
 * in kilometres per litre.
 */
function convert({ quantity, into }: Task, context: AnswerContext): string | null {
  try {
    const isTurned = quantity.parts[0]!.unit.quantity !== into[0]!.quantity;
    const base = isTurned ? divide(ONE, baseAmount(quantity)) : baseAmount(quantity);
    if (into.length > 1) return inSeveral(base, into, context);
    const { factor, offset, symbol } = into[0]!;
    const amount = divide(base, factor);
    return `${written(offset ? add(amount, negate(offset)) : amount, context)} ${symbol}`;
  } catch (error) {
    if (error instanceof CalculationError) return null;
    throw error;
  }
}

/** Formats an amount in several units, with whole numbers for all units but the last: `≈ 5 ft 6.93 in`. */
function inSeveral(base: Fraction, into: readonly Unit[], context: AnswerContext): string {
  const isNegative = base.numerator < 0n;
  let left = isNegative ? negate(base) : base;
  const shown = into.map(({ factor, symbol }, at) => {
    const amount = divide(left, factor);
    const whole = at === into.length - 1 ? amount : fraction(amount.numerator / amount.denominator);
    left = add(left, negate(multiply(whole, factor)));
    return `${written(whole, context, DIGITS_OF_LAST)} ${symbol}`;
  });
  const isNear = shown.at(-1)!.startsWith('≈ ');
  return `${isNear ? '≈ ' : ''}${isNegative ? '−' : ''}${shown.join(' ').replace('≈ ', '')}`;
}

function written(amount: Fraction, { words }: AnswerContext, digits = SHOWN_DIGITS): string {
  return words.figure(formatFraction(amount, digits));
}
