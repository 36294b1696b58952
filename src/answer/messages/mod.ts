/** The texts of answer boxes in English, German, French and Arabic, one JSON file per language. */

export { type AnswerMessage, AnswerWords, answerWords } from './answer-words.ts';
