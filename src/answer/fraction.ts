/**
 * Exact numbers: fractions of big integers, so that `0.1 + 0.2` is 0.3. What has no exact value (a root, a sine)
 * is taken from a double and remembers that it is only near; so does all that is computed from it.
 *
 * Always in lowest terms with a denominator above zero.
 */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly isExact: boolean;
}

/** Larger results are nobody's question, and would take for ever. */
const MAX_BITS = 20_000;
const SHOWN_DIGITS = 15;

export class CalculationError extends Error {}

export function fraction(numerator: bigint, denominator = 1n, isExact = true): Fraction {
  if (denominator === 0n) throw new CalculationError('division by zero');
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(numerator, denominator) * sign;
  const reduced = { numerator: numerator / divisor, denominator: denominator / divisor, isExact };
  if (bitLength(reduced.numerator) + bitLength(reduced.denominator) > MAX_BITS)
    throw new CalculationError('too large');
  return reduced;
}

/** `12.5e-3`, as it is written. */
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

/** What is left of `a` after whole times `b`, with the sign of `b`. */
export function remainder(a: Fraction, b: Fraction): Fraction {
  const { numerator, denominator } = divide(a, b);
  const whole = numerator / denominator - (numerator < 0n && numerator % denominator !== 0n ? 1n : 0n);
  return add(a, negate(multiply(fraction(whole), b)));
}

export function power(base: Fraction, exponent: Fraction): Fraction {
  const isExact = base.isExact && exponent.isExact;
  if (exponent.denominator !== 1n) return near(toNumber(base) ** toNumber(exponent));
  const times = exponent.numerator < 0n ? -exponent.numerator : exponent.numerator;
  const bits = BigInt(Math.max(bitLength(base.numerator), bitLength(base.denominator), 1));
  if (bits > 1n && times * bits > BigInt(2 * MAX_BITS)) throw new CalculationError('too large');
  // Powers of 1, -1 and 0 depend on whether the exponent is even, and on nothing else.
  const steps = bits > 1n ? times : times === 0n ? 0n : 2n - (times % 2n);
  const raised = fraction(base.numerator ** steps, base.denominator ** steps, isExact);
  return exponent.numerator < 0n ? divide(fraction(1n), raised) : raised;
}

export function squareRoot(value: Fraction): Fraction {
  if (value.numerator < 0n) throw new CalculationError('the root of a negative number');
  const above = wholeRoot(value.numerator);
  const below = wholeRoot(value.denominator);
  const isWhole = above * above === value.numerator && below * below === value.denominator;
  return isWhole ? fraction(above, below, value.isExact) : near(Math.sqrt(toNumber(value)));
}

export function toNumber({ numerator, denominator }: Fraction): number {
  const direct = Number(numerator) / Number(denominator);
  if (Number.isFinite(direct)) return direct;
  const shift = BigInt(Math.max(0, Math.min(bitLength(numerator), bitLength(denominator)) - 64));
  return Number(numerator >> shift) / Number(denominator >> shift);
}

/** In decimal, with thousands apart; `≈` before it where digits are missing. */
export function formatFraction(value: Fraction): string {
  const sign = value.numerator < 0n ? '−' : '';
  const size = value.numerator < 0n ? -value.numerator : value.numerator;
  const decimals = exactDecimals(value.denominator);
  if (value.isExact && decimals !== null && String(size).length <= 60) {
    const digits = String((size * 10n ** BigInt(decimals)) / value.denominator).padStart(decimals + 1, '0');
    return `${sign}${grouped(digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals))}`;
  }
  const rounded = toNumber({ ...value, numerator: size }).toPrecision(SHOWN_DIGITS);
  if (rounded.includes('e') || Number(rounded) === 0) {
    const [digits, exponent] = rounded.split('e');
    if (exponent === undefined) return '≈ 0';
    return `≈ ${sign}${trimZeros(digits!)} × 10^${Number(exponent)}`;
  }
  const [whole, part = ''] = trimZeros(rounded).split('.');
  return `≈ ${sign}${grouped(whole!, part)}`;
}

/** How many decimals show the value wholly; null if no number of them does, or too many. */
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

function bitLength(value: bigint): number {
  return value === 0n ? 0 : (value < 0n ? -value : value).toString(2).length;
}

/** Newton's method from above: ends at the largest whole number whose square is not above `value`. */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(bitLength(value) / 2));
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
