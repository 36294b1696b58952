/**
 * answer: short answers beside the results. Each is a box behind one interface, with a source and a time; the
 * local ones compute, those over one's own crawl read archived pages, the remote ones are there once configured.
 */
export type { Answer, AnswerBox, AnswerContext, AnswerLink, Fact, Place, Source } from './answer-box.ts';
export { Answerer, type AnswererOptions } from './answerer.ts';
export { calculator } from './calculator.ts';
export { clocks } from './clocks.ts';
export { conversion } from './conversion.ts';
export { dates } from './dates.ts';
export { type EbayOptions, ebay } from './ebay.ts';
export { knowledge } from './knowledge.ts';
export { type MediaWikiOptions, mediaWiki } from './media-wiki.ts';
export { news } from './news.ts';
export { numerals } from './numerals.ts';
export type { Offer } from './offers.ts';
export type { OwnCrawl, PageReader, ReadablePage, StructuredThing } from './own-crawl.ts';
export { type AnnouncedArticle, type Details, ResultDetails } from './result-details.ts';
export { shopping } from './shopping.ts';
export { type WeatherOptions, weather } from './weather.ts';
