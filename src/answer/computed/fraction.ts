/**
 * Exact numbers: fractions of big integers, so that `0.1 + 0.2` is 0.3. A value that is not a fraction (a
 * root, a sine) is computed as a double and marked as inexact. Every result computed from it is inexact too.
 *
 * Invariant: a fraction is in lowest terms and its denominator is positive.
 */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly isExact: boolean;
}

/**
 * The maximum size of a whole number in bits. Larger results are rejected, because they would take too long
 * to compute.
 */
export const MAX_BITS = 10_000;
/**
 * The maximum size of a fraction in bits. It is smaller than MAX_BITS, because reducing a fraction takes time
 * quadratic in its size.
 */
const MAX_FRACTION_BITS = 2500;
const SHOWN_DIGITS = 15;
/** The maximum number of digits of a number that fits into a double. */
const MAX_DOUBLE_DIGITS = 300;

export class CalculationError extends Error {}

export function fraction(numerator: bigint, denominator = 1n, isExact = true): Fraction {
  if (denominator === 0n) throw new CalculationError('division by zero');
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(numerator, denominator) * sign;
  const reduced = { numerator: numerator / divisor, denominator: denominator / divisor, isExact };
  const limit = reduced.denominator === 1n ? MAX_BITS : MAX_FRACTION_BITS;
  if (bitLength(reduced.numerator) + bitLength(reduced.denominator) > limit)
    throw new CalculationError('too large');
  return reduced;
}

/** Parses a decimal number such as `12.5e-3` exactly. */
export function parseDecimal(text: string): Fraction {
  const [, whole = '', part = '', exponent = '0'] = /^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text)!;
  const shift = Number(exponent) - part.length;
  if (Math.abs(shift) > 4000) throw new CalculationError('too large');
  const digits = BigInt(whole + part || '0');
  return shift < 0 ? fraction(digits, 10n ** BigInt(-shift)) : fraction(digits * 10n ** BigInt(shift));
}

export function near(value: number): Fraction {
  if (!Number.isFinite(value)) throw new CalculationError('not a number');
  const [, sign, digits] = /^(-?)(.*)$/.exec(String(value))!;
  const { numerator, denominator } = parseDecimal(digits!);
  return fraction(sign === '-' ? -numerator : numerator, denominator, false);
}

export function add(a: Fraction, b: Fraction): Fraction {
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator;
  return fraction(numerator, a.denominator * b.denominator, a.isExact && b.isExact);
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator, a.isExact && b.isExact);
}

export function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator, a.isExact && b.isExact);
}

export function negate(a: Fraction): Fraction {
  return { ...a, numerator: -a.numerator };
}

/** Returns `a` modulo `b`; the result has the sign of `b`. */
export function remainder(a: Fraction, b: Fraction): Fraction {
  const { numerator, denominator } = divide(a, b);
  const whole = numerator / denominator - (numerator < 0n && numerator % denominator !== 0n ? 1n : 0n);
  return add(a, negate(multiply(fraction(whole), b)));
}

export function power(base: Fraction, exponent: Fraction): Fraction {
  const isExact = base.isExact && exponent.isExact;
  if (exponent.denominator === 2n || exponent.denominator === 3n) {
    const degree = exponent.denominator === 2n ? 2 : 3;
    return power(root(base, degree), { ...exponent, denominator: 1n });
  }
  if (exponent.denominator !== 1n) return near(toNumber(base) ** toNumber(exponent));
  const times = exponent.numerator < 0n ? -exponent.numerator : exponent.numerator;
  const bits = BigInt(Math.max(bitLength(base.numerator), bitLength(base.denominator), 1));
  if (bits > 1n && times * bits > BigInt(2 * MAX_BITS)) throw new CalculationError('too large');
  // Powers of 1, -1 and 0 depend only on whether the exponent is 0, even or odd.
  const steps = bits > 1n ? times : times === 0n ? 0n : 2n - (times % 2n);
  const raised = fraction(base.numerator ** steps, base.denominator ** steps, isExact);
  return exponent.numerator < 0n ? divide(fraction(1n), raised) : raised;
}

/** Returns the square root or cube root. It is exact if the root is a fraction. */
export function root(value: Fraction, degree: 2 | 3): Fraction {
  if (value.numerator < 0n) {
    if (degree === 2) throw new CalculationError('the square root of a negative number');
    return negate(root(negate(value), degree));
  }
  const [above, below] = [wholeRoot(value.numerator, degree), wholeRoot(value.denominator, degree)];
  const steps = BigInt(degree);
  const isWhole = above ** steps === value.numerator && below ** steps === value.denominator;
  const found = degree === 2 ? Math.sqrt(toNumber(value)) : Math.cbrt(toNumber(value));
  return isWhole ? fraction(above, below, value.isExact) : near(found);
}

/** Returns the logarithm. It is exact for powers of the base. */
export function logarithm(value: Fraction, base: 2 | 10): Fraction {
  const found = (base === 2 ? Math.log2 : Math.log10)(toNumber(value));
  if (!Number.isFinite(found)) throw new CalculationError('the logarithm of zero or less');
  const whole = fraction(BigInt(Math.round(found)), 1n, value.isExact);
  const { numerator, denominator } = power(fraction(BigInt(base)), whole);
  return numerator === value.numerator && denominator === value.denominator ? whole : near(found);
}

export function toNumber({ numerator, denominator }: Fraction): number {
  const direct = Number(numerator) / Number(denominator);
  if (Number.isFinite(direct)) return direct;
  const shift = BigInt(Math.max(0, Math.min(bitLength(numerator), bitLength(denominator)) - 64));
  return Number(numerator >> shift) / Number(denominator >> shift);
}

/**
 * Formats a fraction as a decimal number with thousands separators. A value that cannot be shown exactly is
 * rounded to `shownDigits` digits and gets the prefix `≈`.
 */
export function formatFraction(value: Fraction, shownDigits = SHOWN_DIGITS): string {
  const sign = value.numerator < 0n ? '−' : '';
  const size = value.numerator < 0n ? -value.numerator : value.numerator;
  const decimals = exactDecimals(value.denominator);
  if (value.isExact && decimals !== null && String(size).length <= 60) {
    const digits = String((size * 10n ** BigInt(decimals)) / value.denominator).padStart(decimals + 1, '0');
    return `${sign}${grouped(digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals))}`;
  }
  const whole = String(size / value.denominator);
  if (whole.length > MAX_DOUBLE_DIGITS) return `≈ ${sign}${inPowersOfTen(whole, shownDigits)}`;
  const rounded = toNumber({ ...value, numerator: size }).toPrecision(shownDigits);
  if (rounded.includes('e') || Number(rounded) === 0) {
    const [digits, exponent] = rounded.split('e');
    if (exponent === undefined) return '≈ 0';
    return `≈ ${sign}${trimZeros(digits!)} × 10^${Number(exponent)}`;
  }
  const [above, below = ''] = trimZeros(rounded).split('.');
  return `≈ ${sign}${grouped(above!, below)}`;
}

function inPowersOfTen(whole: string, shownDigits: number): string {
  const rounded = Number(`0.${whole.slice(0, shownDigits + 3)}`).toPrecision(shownDigits);
  const isOneMore = Number(rounded) === 1;
  const digits = isOneMore ? '1' : trimZeros(`${rounded[2]}.${rounded.slice(3)}`);
  return `${digits} × 10^${whole.length - (isOneMore ? 0 : 1)}`;
}

/**
 * Returns the number of decimals that represent the value exactly; null if there is none up to SHOWN_DIGITS.
 */
function exactDecimals(denominator: bigint): number | null {
  for (let decimals = 0; decimals <= SHOWN_DIGITS; decimals++) {
    if (10n ** BigInt(decimals) % denominator === 0n) return decimals;
  }
  return null;
}

function grouped(whole: string, part: string): string {
  return whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (part === '' ? '' : `.${part}`);
}

function trimZeros(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [large, small] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (small !== 0n) [large, small] = [small, large % small];
  return large;
}

export function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16);
  return (digits.length - 1) * 4 + 32 - Math.clz32(Number.parseInt(digits[0]!, 16));
}

/** Returns the largest whole number whose square or cube is at most `value`, by Newton's method from above. */
function wholeRoot(value: bigint, degree: 2 | 3): bigint {
  if (value < 2n) return value;
  const steps = BigInt(degree);
  let guess = 1n << BigInt(Math.ceil(bitLength(value) / degree));
  for (;;) {
    const next = ((steps - 1n) * guess + value / guess ** (steps - 1n)) / steps;
    if (next >= guess) return guess;
    guess = next;
  }
}
