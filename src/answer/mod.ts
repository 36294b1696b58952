/**
 * answer: short answers beside the results. Each is a box behind one interface, with a source and a time; the
 * local ones compute, those over one's own crawl read archived pages, the remote ones are there once configured.
 */
export type { Answer, AnswerBox, AnswerContext, AnswerLink, Fact, Place, Source } from './answer-box.ts';
export { Answerer, type AnswererOptions } from './answerer.ts';
export { calculator } from './calculator.ts';
export { conversion } from './conversion.ts';
export { dates } from './dates.ts';
