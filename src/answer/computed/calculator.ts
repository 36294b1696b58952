/**
 * The calculator box: arithmetic in signs (`2^10`), in words (`2 to the power of 10`), and common questions
 * about percentages (`20% off 50`, `80 is what percent of 200`). expression.ts defines the grammar. Numbers
 * are read and written in the notation of the searcher's language (figures.ts).
 */
import { type AnswerBox, type AnswerContext, computed } from '../answer-box.ts';
import {
  latinDigits,
  plainFigures,
  plainQuestion,
  type Question,
  readings,
  withSigns,
} from '../questions/mod.ts';
import { calculate, isExpressionName } from './expression.ts';
import { CalculationError, formatFraction } from './fraction.ts';

type Formulas = Partial<Record<Question, (values: Readonly<Record<string, string>>) => string>>;

/** Questions that are answered by a formula of the values in the question. */
const FORMULAS: Formulas = {
  share: ({ sum, whole }) => `${sum}% × ${whole}`,
  part: ({ sum = '1/2', whole }) => `${sum} × ${whole}`,
  off: ({ sum, whole }) => `${whole} − ${sum}%`,
};
/** Questions whose answer is a percentage, with their formulas. */
const PERCENTAGES: Formulas = {
  portion: ({ sum, whole }) => `${sum} ÷ ${whole}`,
  change: ({ first, last }) => `(${last} − ${first}) ÷ ${first}`,
};

/** Matches currency signs beside numbers. They are ignored. */
const MONEY = /[$€£] ?(?=\d)|(?<=\d) ?[$€£]/g;

interface Task {
  expression: string;
  isPercentage: boolean;
}

export const calculator: AnswerBox = {
  name: 'calculator',
  cacheMs: 0,
  matches: (query) => /\d|π|\bpi\b|\w\(/i.test(latinDigits(query)) && taskOf(query) !== null,
  answer(query, context) {
    const task = taskOf(query)!;
    const title = writtenValue(task, context);
    return title === null ? null : computed('calculation', title, `${task.expression} =`, context);
  },
};

/**
 * Computes an expression and formats the value. Returns null if the expression is invalid or has no value.
 */
function writtenValue({ expression, isPercentage }: Task, { words }: AnswerContext): string | null {
  try {
    const plain = plainFigures(expression, words.tag);
    if (!isPercentage) return words.figure(formatFraction(calculate(plain)));
    return words.percent(words.figure(formatFraction(calculate(`(${plain}) * 100`))));
  } catch (error) {
    if (error instanceof CalculationError) return null;
    throw error;
  }
}

/** Returns the arithmetic in a query, without "what is" and "="; null if there is nothing to compute. */
function taskOf(query: string): Task | null {
  const question = plainQuestion(query)
    .replace(/[\s=?]+$/, '')
    .replace(MONEY, '');
  const asked = readings('calculate', question)[0]?.sum ?? question;
  const percentage = formulaOf(asked, PERCENTAGES);
  if (percentage !== null) return { expression: percentage, isPercentage: true };
  const sum = withSigns(asked);
  const expression = formulaOf(sum, FORMULAS) ?? (isArithmetic(sum) ? sum : null);
  return expression === null ? null : { expression, isPercentage: false };
}

function formulaOf(question: string, formulas: Formulas): string | null {
  for (const [name, formula] of Object.entries(formulas)) {
    for (const values of readings(name as Question, question)) {
      const told = Object.values(values).filter((value) => value !== undefined);
      const isKnown = told.every((value) => /\d/.test(value) && isMadeOfSigns(value));
      if (isKnown) return formula(values);
    }
  }
  return null;
}

/** Returns true if a text is arithmetic with something to compute. Dates and telephone numbers are not. */
function isArithmetic(text: string): boolean {
  const hasWork =
    /[\w)π]\s*[-+*/^×÷·−%!(]|[)%!°√∛]/i.test(text) || /[a-zπ]{2}|π/i.test(text.replace(/0x[\da-f]+/gi, ''));
  const isDateOrNumber = /^\s*\+?\d+(?:[-/.]\d+){2,}\s*$|^\s*\+?\d+[-\s]\d[\d\s-]*$/.test(text);
  return hasWork && !isDateOrNumber && isMadeOfSigns(text);
}

function isMadeOfSigns(text: string): boolean {
  const names =
    text.replace(/\b0(?:x[\da-f]+|b[01]+|o[0-7]+)\b|\d(?:e[+-]?\d+)/gi, '').match(/[a-zπ]+/gi) ?? [];
  return (
    names.every((name) => isExpressionName(name.toLowerCase())) &&
    /^[\s\d.,+\-*/^%!()×÷·−√∛°a-zπ]+$/i.test(text)
  );
}
