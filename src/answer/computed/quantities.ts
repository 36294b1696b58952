/**
 * Parses quantities as people write them: `5 miles`, `5 ft 6 in`, `6'2"`, `1 1/2 cups`, `½ l`, `a mile`, `1 h
 * 30 min`. If there are several amounts, their units must measure the same quantity, the larger unit first.
 * After feet, the mark for inches may be missing: `5'11`.
 */
import { joinedThousands, readFigure, wordAmong } from '../questions/mod.ts';
import {
  add,
  CalculationError,
  type Fraction,
  fraction,
  multiply,
  negate,
  parseDecimal,
} from './fraction.ts';
import { findUnit, type Unit } from './units.ts';

export interface Quantity {
  /** The amounts with their units, the larger unit first. */
  parts: readonly { amount: Fraction; unit: Unit }[];
  isNegative: boolean;
}

const AMOUNT = String.raw`(?:\d+[ -])?\d+\/\d+|[\d.,]*\d(?:e[+-]?\d{1,3}(?![\p{L}]))?`;
const WHOLE = new RegExp(`^(?<amount>${AMOUNT}) ?-?(?<rest>\\D.*)$`, 'iu');
/** Matches an amount and its unit. The unit ends where the next number begins. */
const PART = new RegExp(`(?<amount>${AMOUNT}) ?(?<unit>[^\\d\\s][^\\d]*?)?,? ?(?=\\d|$)`, 'iuy');
const MAX_PARTS = 4;

/** Parses a quantity. Returns null if the text is not a quantity. */
export function readQuantity(text: string, language: string): Quantity | null {
  const isNegative = /^[-−]/.test(text);
  const plain = joinedThousands(text, language)
    .replace(/^[-−] ?/, '')
    .replace(/ ?([½¼¾⅓⅔⅛⅜⅝⅞])/g, (_all, sign: string) => ` ${sign.normalize('NFKC').replace('⁄', '/')}`);
  const parts = single(plain.trim(), language) ?? several(plain.trim(), language);
  return parts && { parts, isNegative };
}

/** Returns the sum of all amounts in the base unit. */
export function baseAmount({ parts, isNegative }: Quantity): Fraction {
  const amounts = parts.map(({ amount, unit }) => {
    const signed = isNegative ? negate(amount) : amount;
    return multiply(unit.offset ? add(signed, unit.offset) : signed, unit.factor);
  });
  return amounts.reduce(add);
}

function single(text: string, language: string): Quantity['parts'] | null {
  const found = WHOLE.exec(text)?.groups;
  const amount = found ? readAmount(found.amount!, language) : null;
  const unit = found ? findUnit(found.rest!.trim()) : null;
  if (amount && unit) return [{ amount, unit }];
  return spelled(text);
}

/**
 * Parses `a mile` and `half a cup`. A unit without a number means one of that unit, if its name has more than
 * one letter.
 */
function spelled(text: string): Quantity['parts'] | null {
  const words = text.split(' ');
  for (let count = 0; count <= Math.min(2, words.length - 1); count++) {
    const [before, name] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    const isHalf = wordAmong(before, ['half']) !== null;
    const unit = isHalf || before === '' || wordAmong(before, ['one']) ? findUnit(name) : null;
    if (unit && name.length > 1) return [{ amount: isHalf ? fraction(1n, 2n) : fraction(1n), unit }];
  }
  return null;
}

function several(text: string, language: string): Quantity['parts'] | null {
  const parts: { amount: Fraction; unit: Unit }[] = [];
  for (PART.lastIndex = 0; PART.lastIndex < text.length; ) {
    const { amount: figure, unit: name } = PART.exec(text)?.groups ?? {};
    const amount = figure === undefined ? null : readAmount(figure, language);
    const unit = unitOfPart(name, parts.at(-1)?.unit);
    if (!amount || !unit || parts.length === MAX_PARTS) return null;
    parts.push({ amount, unit });
  }
  const isOrdered = parts.every(
    ({ unit }, at) =>
      at === 0 || (unit.quantity === parts[0]!.unit.quantity && isSmaller(unit, parts[at - 1]!.unit)),
  );
  return parts.length > 1 && isOrdered && !parts[0]!.unit.offset ? parts : null;
}

/**
 * Finds the unit of an amount. A word that joins this amount to the next (`and`) is removed from the name of
 * the unit.
 */
function unitOfPart(name: string | undefined, before: Unit | undefined): Unit | null {
  if (name === undefined) return before?.symbol === 'ft' ? findUnit('in') : null;
  const words = name.trim().split(' ');
  const isJoined = words.length > 1 && wordAmong(words.at(-1)!, ['and']) !== null;
  return findUnit((isJoined ? words.slice(0, -1) : words).join(' '));
}

function isSmaller(a: Unit, b: Unit): boolean {
  return a.factor.numerator * b.factor.denominator < b.factor.numerator * a.factor.denominator;
}

/** Parses an amount such as `1/2` or `1 1/2`, or a number in the notation of the language. */
function readAmount(text: string, language: string): Fraction | null {
  const shares = /^(?:(\d+)[ -])?(\d+)\/(\d+)$/.exec(text);
  const [, figure, exponent = ''] = /^([\d.,]+)(e.*)?$/i.exec(text) ?? [];
  try {
    if (shares)
      return add(fraction(BigInt(shares[1] ?? 0)), fraction(BigInt(shares[2]!), BigInt(shares[3]!)));
    const plain = figure === undefined ? null : readFigure(figure, language);
    return plain === null ? null : parseDecimal(plain + exponent);
  } catch (error) {
    if (error instanceof CalculationError) return null;
    throw error;
  }
}
