/**
 * Answer boxes that query a configured service: weather, a MediaWiki, a product search. They send requests
 * only to the configured URL and stay within the time budget of answer boxes.
 */

export { ebay } from './ebay.ts';
export { mediaWikiBox } from './media-wiki.ts';
export { weather } from './weather.ts';
