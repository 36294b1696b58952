/**
 * The forms of questions that people ask, one JSON file per language. Boxes match a query against all
 * languages at once. To add a language, add a file with the same keys and a line in `QUESTION_LANGUAGES`.
 */

export { asked, firstOf } from './asked.ts';
export { joinedThousands, latinDigits, plainFigures, readFigure } from './figures.ts';
export {
  plainQuestion,
  QUESTION_LANGUAGES,
  type Question,
  readings,
  type Values,
  withSigns,
  wordAmong,
} from './questions.ts';
