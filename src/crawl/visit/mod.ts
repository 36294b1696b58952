/**
 * One visit of a leased host: a request for robots.txt, a page or an icon, or a wait. The response handler
 * turns a response into records; revisits decide when a URL is due again.
 */

export { ParsingCosts } from './parsing-costs.ts';
export { ResponseHandler } from './response-handler.ts';
export { captureOfImport, type ImportedAnswer, type RevisitOptions } from './revisits.ts';
export { Visitor } from './visitor.ts';
