/**
 * The calculator: a grammar of its own, so that nothing but arithmetic can be said in it.
 *
 *   sum     = product (("+" | "-") product)*
 *   product = signed (("*" | "/" | "mod") signed | power)*      a number before a bracket or a name multiplies
 *   signed  = ("-" | "+") signed | power
 *   power   = postfix ("^" signed)?                             from the right: 2^3^2 is 2^9
 *   postfix = atom ("!" | "%")*                                 5% is 0.05
 *   atom    = number | "(" sum ")" | constant | function "(" sum ")"
 *
 * Angles are in radians. Figures are read, and the answer written, as the searcher's language does (figures.ts).
 */
import { type AnswerBox, computed } from './answer-box.ts';
import { latinDigits, plainFigures } from './figures.ts';
import {
  add,
  CalculationError,
  divide,
  type Fraction,
  formatFraction,
  fraction,
  multiply,
  near,
  negate,
  parseDecimal,
  power,
  remainder,
  squareRoot,
  toNumber,
} from './fraction.ts';
import { plainQuestion, readings } from './questions/questions.ts';

const MAX_FACTORIAL = 1000n;
const MAX_DEPTH = 50;

const CONSTANTS: Record<string, number> = { pi: Math.PI, π: Math.PI, e: Math.E };
const FUNCTIONS: Record<string, (value: Fraction) => Fraction> = {
  sqrt: squareRoot,
  abs: (value) => (value.numerator < 0n ? negate(value) : value),
  sin: (value) => near(Math.sin(toNumber(value))),
  cos: (value) => near(Math.cos(toNumber(value))),
  tan: (value) => near(Math.tan(toNumber(value))),
  ln: (value) => near(Math.log(toNumber(value))),
  log: (value) => near(Math.log10(toNumber(value))),
  exp: (value) => near(Math.exp(toNumber(value))),
};

const TOKEN =
  /\s*((?:\d+(?:,\d{3})+(?!\d)|\d+)(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[a-zπ]+|\*\*|\S)/giy;
const SPELLED: Record<string, string> = { '×': '*', '·': '*', '÷': '/', '−': '-', '**': '^', '√': 'sqrt' };

export const calculator: AnswerBox = {
  name: 'calculator',
  cacheMs: 0,
  matches: (query) => /\d|π|\bpi\b/i.test(latinDigits(query)) && expressionOf(query) !== null,
  answer(query, context) {
    const { words } = context;
    const expression = expressionOf(query)!;
    try {
      const value = calculate(plainFigures(expression, words.tag));
      return computed('calculation', words.figure(formatFraction(value)), `${expression} =`, context);
    } catch (error) {
      if (error instanceof CalculationError) return null;
      throw error;
    }
  },
};

/** Throws a `CalculationError` for whatever is no arithmetic or has no value. */
export function calculate(expression: string): Fraction {
  const parser = new Parser(tokensOf(expression));
  const value = parser.sum();
  parser.expectEnd();
  return value;
}

/** The query without "what is" and "=", if it is made of arithmetic with something to work out; a date is not. */
function expressionOf(query: string): string | null {
  const question = plainQuestion(query).replace(/[\s=?]+$/, '');
  const sum = readings('calculate', question)[0]?.sum ?? question;
  const share = readings('share', sum)[0];
  const text = share ? `${share.sum}% × ${share.whole}` : sum;
  const names = text.match(/[a-zπ]{1,}/gi) ?? [];
  const isKnown = names.every((name) => isName(name.toLowerCase()));
  const hasWork = /\d\s*[-+*/^×÷·−%!(]|[)%!]|\bmod\b|√/i.test(text) || names.some((name) => name.length > 1);
  const isDateOrNumber = /^\s*\+?\d+(?:[-/.]\d+){2,}\s*$|^\s*\+?\d+[-\s]\d[\d\s-]*$/.test(text);
  return isKnown && hasWork && !isDateOrNumber && /^[\s\d.,+\-*/^%!()×÷·−√a-zπ]+$/i.test(text)
    ? text.trim()
    : null;
}

function isName(name: string): boolean {
  return Object.hasOwn(CONSTANTS, name) || Object.hasOwn(FUNCTIONS, name) || name === 'mod';
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
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value = add(value, this.#product());
      else if (this.#take('-')) value = add(value, negate(this.#product()));
      else break;
    }
    this.#depth--;
    return value;
  }

  expectEnd(): void {
    if (this.#at < this.#tokens.length) throw new CalculationError(`unexpected ${this.#tokens[this.#at]}`);
  }

  #product(): Fraction {
    let value = this.#signed();
    for (;;) {
      if (this.#take('*')) value = multiply(value, this.#signed());
      else if (this.#take('/')) value = divide(value, this.#signed());
      else if (this.#take('mod')) value = remainder(value, this.#signed());
      else if (/^(?:\(|[a-zπ]+)$/.test(this.#tokens[this.#at] ?? '')) value = multiply(value, this.#power());
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
      else return value;
    }
  }

  #atom(): Fraction {
    const token = this.#tokens[this.#at++] ?? '';
    if (/^[\d.]*\d/.test(token)) return parseDecimal(token);
    if (token === '(') return this.#rest();
    if (Object.hasOwn(CONSTANTS, token)) return near(CONSTANTS[token]!);
    const apply = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token]! : null;
    if (!apply) throw new CalculationError(`unexpected ${token || 'end'}`);
    return apply(this.#take('(') ? this.#rest() : this.#atom());
  }

  /** What follows an opening bracket; the last ones of an expression need no closing. */
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
    throw new CalculationError('a factorial is of a whole number up to 1000');
  let product = 1n;
  for (let factor = 2n; factor <= numerator; factor++) product *= factor;
  return fraction(product, 1n, isExact);
}
