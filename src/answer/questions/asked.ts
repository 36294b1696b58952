/**
 * Answers questions: matches a query against question forms, and uses the first match that leads to an
 * answer.
 */
import type { Answer, AnswerContext } from '../answer-box.ts';
import { type Question, readings, type Values } from './questions.ts';

/** Answers a query; null if the query is about something else. */
type Reader = (query: string, context: AnswerContext) => Answer | null;

/** Tries all ways to read the query as `question` and returns the first answer. */
export function asked(
  question: Question,
  answer: (values: Values, context: AnswerContext) => Answer | null,
): Reader {
  return (query, context) => firstAnswer(readings(question, query), (values) => answer(values, context));
}

export function firstOf(readers: readonly Reader[]): Reader {
  return (query, context) => firstAnswer(readers, (reader) => reader(query, context));
}

function firstAnswer<Item>(items: readonly Item[], answer: (item: Item) => Answer | null): Answer | null {
  for (const item of items) {
    const found = answer(item);
    if (found) return found;
  }
  return null;
}
