/** answer: answer boxes beside the results. Each box implements one interface and has a source and a time limit. */

export type { Answer, AnswerBox, AnswerLink, Fact, SearcherPlace } from './answer-box.ts';
export { Answerer } from './asking/mod.ts';
export { calculator, clocks, conversion, dates, numerals } from './computed/mod.ts';
export {
  type AnnouncedArticle,
  type Details,
  isNamedEntry,
  knowledge,
  news,
  type Offer,
  type PageReader,
  type ReadablePage,
  ResultDetails,
  readSection,
  type SectionPage,
  shopping,
  sitePanel,
} from './crawled/mod.ts';
export { ebay, mediaWikiBox, weather } from './remote/mod.ts';
