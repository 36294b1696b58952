/** Conversions of units, as in `5 miles in km` or `100 °F to celsius`. Money is none: its rates are news, not facts. */
import { type AnswerBox, computed } from './answer-box.ts';
import { add, divide, type Fraction, formatFraction, multiply, negate, parseDecimal } from './fraction.ts';
import { findUnit, type Unit } from './units.ts';

const QUESTION =
  /^(?:convert\s+)?([-−]?[\d.,]*\d(?:e[+-]?\d{1,3})?)\s*([^\s\d][^\s]{0,20})\s+(?:in|to|as|into|=)\s+(\S{1,20}?)\s*\??$/i;

interface Question {
  amount: Fraction;
  from: Unit;
  to: Unit;
}

export const conversion: AnswerBox = {
  name: 'conversion',
  cacheMs: 0,
  matches: (query) => read(query) !== null,
  answer(query, context) {
    const { amount, from, to } = read(query)!;
    const base = multiply(add(amount, ratio(from.offset ?? '0')), ratio(from.factor));
    const value = add(divide(base, ratio(to.factor)), negate(ratio(to.offset ?? '0')));
    return computed(
      'conversion',
      `${formatFraction(value)} ${to.symbol}`,
      `${formatFraction(amount)} ${from.symbol} =`,
      context,
    );
  },
};

function read(query: string): Question | null {
  const found = QUESTION.exec(query.trim());
  if (!found) return null;
  const [, number, fromName, toName] = found as unknown as [string, string, string, string];
  const amount = parseAmount(number);
  const from = findUnit(fromName);
  const to = findUnit(toName);
  return amount && from && to && from.quantity === to.quantity ? { amount, from, to } : null;
}

/** Commas may stand between thousands, or once for the decimal point. */
function parseAmount(text: string): Fraction | null {
  const isNegative = /^[-−]/.test(text);
  const digits = text.slice(isNegative ? 1 : 0);
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)
    ? digits.replaceAll(',', '')
    : digits.replace(',', '.');
  if (!/^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return null;
  const value = parseDecimal(plain);
  return isNegative ? negate(value) : value;
}

function ratio(text: string): Fraction {
  const [above, below] = text.split('/');
  return below === undefined ? parseDecimal(above!) : divide(parseDecimal(above!), parseDecimal(below));
}
