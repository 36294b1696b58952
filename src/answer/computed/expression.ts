/**
 * Evaluates arithmetic expressions. They are parsed by this grammar, so that no other code can be evaluated.
 *
 *   sum     = product (("+" | "-") product)*       a percentage alone is a share of the value before it: 50 + 10% is 55
 *   product = signed (("*" | "/" | "mod" | "choose") signed | power)*
 *                                                  a number before a bracket or a name multiplies it
 *   signed  = ("-" | "+") signed | power
 *   power   = postfix ("^" signed)?                right-associative: 2^3^2 is 2^9
 *   postfix = atom ("!" | "%" | "°")*              5% is 0.05, 180° is pi
 *   atom    = number | "(" sum ")" | constant | function "(" sum ")"
 *
 * Angles are in radians. Numbers are in plain notation: a point before decimals, commas between thousands,
 * and the prefixes 0x, 0b and 0o.
 */
import {
  add,
  bitLength,
  CalculationError,
  divide,
  type Fraction,
  fraction,
  logarithm,
  MAX_BITS,
  multiply,
  near,
  negate,
  parseDecimal,
  power,
  remainder,
  root,
  toNumber,
} from './fraction.ts';

const MAX_FACTORIAL = 1000n;
const MAX_DEPTH = 50;
/**
 * A result that was computed with doubles counts as 0 if it is below this number. It is then a rounding error,
 * as for the sine of pi.
 */
const SMALLEST = 1e-15;

const ONE = fraction(1n);
const ZERO = fraction(0n);
const DEGREE = near(Math.PI / 180);
const CONSTANTS: Record<string, number> = { pi: Math.PI, π: Math.PI, e: Math.E };

const FUNCTIONS: Record<string, (value: Fraction) => Fraction> = {
  sqrt: (value) => root(value, 2),
  cbrt: (value) => root(value, 3),
  abs: (value) => (value.numerator < 0n ? negate(value) : value),
  floor: wholeBelow,
  ceil: (value) => negate(wholeBelow(negate(value))),
  round: (value) => wholeBelow(add(value, fraction(1n, 2n))),
  sin: byDouble(Math.sin, ZERO),
  cos: byDouble(Math.cos, ONE),
  tan: byDouble(Math.tan, ZERO),
  asin: byDouble(Math.asin, ZERO),
  acos: byDouble(Math.acos),
  atan: byDouble(Math.atan, ZERO),
  exp: byDouble(Math.exp, ONE),
  ln: (value) => (isExactly(value, 1n) ? ZERO : near(Math.log(toNumber(value)))),
  log: (value) => logarithm(value, 10),
  log10: (value) => logarithm(value, 10),
  log2: (value) => logarithm(value, 2),
};

const INFIX: Record<string, (a: Fraction, b: Fraction) => Fraction> = {
  '*': multiply,
  '/': divide,
  mod: remainder,
  choose: (all, chosen) => divide(arrangements(all, chosen), factorial(chosen)),
  ncr: (all, chosen) => divide(arrangements(all, chosen), factorial(chosen)),
  npr: arrangements,
};

const TOKEN =
  /\s*(0x[\da-f]+|0b[01]+|0o[0-7]+|(?:\d+(?:,\d{3})+(?!\d)|\d+)(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|log(?:2|10)(?=[\s(])|[a-zπ]+|\*\*|\S)/giy;
const SPELLED: Record<string, string> = {
  '×': '*',
  '·': '*',
  '÷': '/',
  '−': '-',
  '**': '^',
  '√': 'sqrt',
  '∛': 'cbrt',
};

/** Evaluates an expression. Throws a `CalculationError` if the text is not an expression or has no value. */
export function calculate(expression: string): Fraction {
  const parser = new Parser(tokensOf(expression));
  const value = parser.sum();
  parser.expectEnd();
  return value;
}

/** Returns true for the name of a function, a constant or an operation. */
export function isExpressionName(name: string): boolean {
  return [CONSTANTS, FUNCTIONS, INFIX].some((names) => Object.hasOwn(names, name));
}

function tokensOf(expression: string): string[] {
  return Array.from(expression.trim().matchAll(TOKEN), ([, token]) => {
    const plain = token!.toLowerCase().replaceAll(',', '');
    return SPELLED[plain] ?? plain;
  });
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  sum(): Fraction {
    if (++this.#depth > MAX_DEPTH) throw new CalculationError('too deep');
    let { value, isShare } = this.#summand();
    for (;;) {
      const sign = this.#take('+') ? '+' : this.#take('-') ? '-' : '';
      if (sign === '') break;
      const next = this.#summand();
      const amount = next.isShare && !isShare ? multiply(value, next.value) : next.value;
      value = add(value, sign === '+' ? amount : negate(amount));
      isShare &&= next.isShare;
    }
    this.#depth--;
    return value;
  }

  /** Parses a term of a sum. `isShare` is true if it is only a number followed by `%`. */
  #summand(): { value: Fraction; isShare: boolean } {
    const from = this.#at;
    const value = this.#product();
    return { value, isShare: this.#at - from === 2 && this.#tokens[this.#at - 1] === '%' };
  }

  expectEnd(): void {
    if (this.#at < this.#tokens.length) throw new CalculationError(`unexpected ${this.#tokens[this.#at]}`);
  }

  #product(): Fraction {
    let value = this.#signed();
    for (;;) {
      const token = this.#tokens[this.#at] ?? '';
      if (Object.hasOwn(INFIX, token)) {
        this.#at++;
        value = INFIX[token]!(value, this.#signed());
      } else if (/^(?:\(|[a-zπ]+\d*)$/.test(token)) value = multiply(value, this.#power());
      else return value;
    }
  }

  #signed(): Fraction {
    let isNegative = false;
    for (;;) {
      if (this.#take('-')) isNegative = !isNegative;
      else if (!this.#take('+')) break;
    }
    const value = this.#power();
    return isNegative ? negate(value) : value;
  }

  #power(): Fraction {
    const base = this.#postfix();
    if (!this.#take('^')) return base;
    if (++this.#depth > MAX_DEPTH) throw new CalculationError('too deep');
    const value = power(base, this.#signed());
    this.#depth--;
    return value;
  }

  #postfix(): Fraction {
    let value = this.#atom();
    for (;;) {
      if (this.#take('!')) value = factorial(value);
      else if (this.#take('%')) value = divide(value, fraction(100n));
      else if (this.#take('°')) value = multiply(value, DEGREE);
      else return value;
    }
  }

  #atom(): Fraction {
    const token = this.#tokens[this.#at++] ?? '';
    if (/^0[xbo]/.test(token)) return fraction(BigInt(token));
    if (/^[\d.]*\d/.test(token)) return parseDecimal(token);
    if (token === '(') return this.#rest();
    if (Object.hasOwn(CONSTANTS, token)) return near(CONSTANTS[token]!);
    const apply = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token]! : null;
    if (!apply) throw new CalculationError(`unexpected ${token || 'end'}`);
    return apply(this.#take('(') ? this.#rest() : this.#angle());
  }

  /** Parses the argument of a function without brackets: `sin 30°`. */
  #angle(): Fraction {
    const value = this.#atom();
    return this.#take('°') ? multiply(value, DEGREE) : value;
  }

  /**
   * Parses the content of brackets after the opening one. Closing brackets may be missing at the end of the
   * expression.
   */
  #rest(): Fraction {
    const value = this.sum();
    if (!this.#take(')') && this.#at < this.#tokens.length) throw new CalculationError('expected )');
    return value;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}

function factorial({ numerator, denominator, isExact }: Fraction): Fraction {
  if (denominator !== 1n || numerator < 0n || numerator > MAX_FACTORIAL)
    throw new CalculationError('expected a whole number up to 1000 before !');
  let product = 1n;
  for (let factor = 2n; factor <= numerator; factor++) product *= factor;
  return fraction(product, 1n, isExact);
}

/** Returns the number of ordered selections of `chosen` out of `all` items (permutations, nPr). */
function arrangements(all: Fraction, chosen: Fraction): Fraction {
  const isCount = [all, chosen].every(({ numerator, denominator }) => denominator === 1n && numerator >= 0n);
  if (!isCount || chosen.numerator > MAX_FACTORIAL)
    throw new CalculationError('expected a whole number, and at most 1000 chosen from it');
  if (bitLength(all.numerator) * Number(chosen.numerator) > 2 * MAX_BITS)
    throw new CalculationError('too large');
  let product = 1n;
  for (let taken = 0n; taken < chosen.numerator; taken++) product *= all.numerator - taken;
  return fraction(product, 1n, all.isExact && chosen.isExact);
}

function wholeBelow({ numerator, denominator, isExact }: Fraction): Fraction {
  const isBelow = numerator < 0n && numerator % denominator !== 0n;
  return fraction(numerator / denominator - (isBelow ? 1n : 0n), 1n, isExact);
}

/**
 * Wraps a function on doubles as a function on fractions. `atZero` is the exact value of the function at zero,
 * if there is one.
 */
function byDouble(apply: (value: number) => number, atZero?: Fraction) {
  return (value: Fraction): Fraction => {
    if (atZero && isExactly(value, 0n)) return atZero;
    const found = apply(toNumber(value));
    return near(Math.abs(found) < SMALLEST ? 0 : found);
  };
}

function isExactly({ numerator, denominator, isExact }: Fraction, whole: bigint): boolean {
  return isExact && denominator === 1n && numerator === whole;
}
