/**
 * Conversions of units, as in `5 miles in km`, `100 °F to celsius` or `wie viele Meter sind 5 Meilen`. Money is none: its rates
 * are news, not facts.
 */
import { type AnswerBox, type AnswerContext, computed } from './answer-box.ts';
import { readFigure } from './figures.ts';
import { add, divide, type Fraction, formatFraction, multiply, negate, parseDecimal } from './fraction.ts';
import { readings } from './questions/questions.ts';
import { findUnit, type Unit } from './units.ts';

interface Question {
  amount: Fraction;
  from: Unit;
  to: Unit;
}

export const conversion: AnswerBox = {
  name: 'conversion',
  cacheMs: 0,
  matches: (query, context) => read(query, context) !== null,
  answer(query, context) {
    const { amount, from, to } = read(query, context)!;
    const base = multiply(add(amount, ratio(from.offset ?? '0')), ratio(from.factor));
    const value = add(divide(base, ratio(to.factor)), negate(ratio(to.offset ?? '0')));
    const written = (figure: Fraction) => context.words.figure(formatFraction(figure));
    return computed(
      'conversion',
      `${written(value)} ${to.symbol}`,
      `${written(amount)} ${from.symbol} =`,
      context,
    );
  },
};

function read(query: string, { words }: AnswerContext): Question | null {
  for (const values of readings('convert', query)) {
    const amount = parseAmount(values.amount!, words.tag);
    const from = findUnit(values.unit!);
    const to = findUnit(values.into!);
    if (amount && from && to && from.quantity === to.quantity) return { amount, from, to };
  }
  return null;
}

function parseAmount(text: string, language: string): Fraction | null {
  const [, sign, digits, exponent = ''] = /^([-−]?)([\d.,]+)(e.*)?$/i.exec(text) ?? [];
  const plain = digits === undefined ? null : readFigure(digits, language);
  if (plain === null) return null;
  const value = parseDecimal(plain + exponent);
  return sign === '' ? value : negate(value);
}

function ratio(text: string): Fraction {
  const [above, below] = text.split('/');
  return below === undefined ? parseDecimal(above!) : divide(parseDecimal(above!), parseDecimal(below));
}
