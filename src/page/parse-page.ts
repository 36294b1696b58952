/**
 * Converts a response of any format to a `Page`. Each format has an entry in `PARSERS`.
 *
 * Never throws, whatever the bytes are: broken documents are not errors. Never exceeds the budget of the
 * document: a page whose budget was spent contains the part that was read until then, and is `incomplete`.
 */
import type { WorkBudget } from '../base/mod.ts';
import { type CanonicalUrl, pathOf } from '../url/mod.ts';
import { type ContentType, parseContentType } from './content-type.ts';
import type { DocumentFault } from './document-fault.ts';
import { type Extractor, type ExtractorReport, extractWith } from './extractors/mod.ts';
import { parseJsonFeed, parseMarkdown, parsePlainText, parseXmlFeed } from './formats/mod.ts';
import { parseHtml } from './html/mod.ts';
import { documentBudget } from './limits.ts';
import { ALL_OFFICE_TYPES, isOfficeName, parseOffice } from './office/mod.ts';
import type { Page, StructuredItem } from './page.ts';
import type { PageInput } from './page-input.ts';
import { parsePdf } from './pdf/mod.ts';

export interface ParseOptions {
  /** The extractors to try, in this order. */
  extractors?: readonly Extractor[];
  report?: ExtractorReport;
  /** Finds records by the operator's rules for the site. It is called only for HTML. */
  findRecords?(input: PageInput): StructuredItem[];
  /** Returns the names of the collections that have the URL. */
  collectionsOf?(url: CanonicalUrl): string[];
  /** The work budget. By default it depends on the size of the document. */
  budget?: WorkBudget;
}

/** Returns null if the body is not a document of the format, and the reason is not known better. */
type Parser = (input: PageInput, contentType: ContentType, budget: WorkBudget) => Page | DocumentFault | null;

const PARSERS: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  ['text/html', parseHtml],
  ['application/xhtml+xml', parseHtml],
  ['text/plain', parsePlainText],
  ['text/markdown', parseMarkdown],
  ['text/x-markdown', parseMarkdown],
  ['application/pdf', parsePdf],
  ['application/x-pdf', parsePdf],
  ['application/rss+xml', parseXmlFeed],
  ['application/atom+xml', parseXmlFeed],
  ['application/rdf+xml', parseXmlFeed],
  ['text/xml', parseXml],
  ['application/xml', parseXml],
  ['application/feed+json', parseJsonFeed],
  ...ALL_OFFICE_TYPES.map((type): [string, Parser] => [type, parseOffice]),
]);

/** Matches the beginning of an HTML document, for responses without a content type. */
const HTML_OPENING = /^\s*<(?:!doctype html|html|head|body|title|meta|!--)/i;
/** Matches the beginning of an XHTML document: its root element, or a doctype before it. */
const XHTML_OPENING = /<(?:!doctype\s+)?html[\s>]/i;
const PDF_OPENING = /^[\s\S]{0,100}%PDF-\d/;
const FEED_NAME = /[/._-]feeds?\.json$/i;
const MARKDOWN_NAME = /\.(?:md|markdown|mdown|mkd)$/i;
/** The content types that servers send for files of unknown type. */
const UNKNOWN = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/unknown']);
/** The content types that servers send for office documents if they do not know their formats. */
const VAGUE = new Set([
  ...['application/zip', 'application/x-zip', 'application/x-zip-compressed', 'text/plain'],
  ...['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'],
]);
const ZIP_OPENING = 'PK\x03\x04';
const [OFFICE_TYPE] = ALL_OFFICE_TYPES;

/** Parses a response. Returns null if the content type is not supported or the body is not a page. */
export function parsePage(input: PageInput, options: ParseOptions = {}): Page | null {
  const read = parsePageOrFault(input, options);
  return typeof read === 'string' ? null : read;
}

/** Parses a response, or returns the reason why it is not a page. */
export function parsePageOrFault(input: PageInput, options: ParseOptions = {}): Page | DocumentFault {
  const { extractors = [], report, budget = documentBudget(input.body.byteLength) } = options;
  let fault: DocumentFault = 'other-format';
  const parse = () => {
    const read = parseAs(typeOf(input), input, budget);
    if (typeof read !== 'string') return read;
    fault = read;
    return null;
  };
  const page = extractors.length === 0 ? parse() : extractWith(extractors, input, parse, report);
  return page ? completed(page, input, options) : fault;
}

/**
 * Returns true if a body of this content type should be fetched and parsed. A body without a type may be HTML.
 */
export function mayBePage(
  url: CanonicalUrl,
  contentType: string,
  extractors: readonly Extractor[] = [],
): boolean {
  const { type } = parseContentType(contentType);
  if (type === '' || PARSERS.has(type) || isFeedName(url, type)) return true;
  if ((UNKNOWN.has(type) || VAGUE.has(type)) && isDocumentName(url)) return true;
  return extractors.some(({ contentTypes = [] }) => contentTypes.includes(type));
}

/** Adds what the operator's settings say about the page: its collections, and records by rules. */
function completed(page: Page, input: PageInput, { collectionsOf, findRecords }: ParseOptions): Page {
  const collections = collectionsOf?.(input.url) ?? [];
  const isHtml = PARSERS.get(page.contentType) === parseHtml;
  const found = isHtml ? (findRecords?.(input) ?? []) : [];
  return {
    ...page,
    ...(collections.length > 0 && { collections }),
    ...(found.length > 0 && { structured: [...(page.structured ?? []), ...found] }),
  };
}

function parseAs(
  contentType: ContentType,
  input: PageInput,
  budget: WorkBudget,
): Page | DocumentFault | null {
  const read = PARSERS.get(contentType.type)?.(input, contentType, budget) ?? null;
  if (typeof read !== 'string' && read && budget.isSpent) read.incomplete = true;
  return read;
}

/**
 * Returns the content type in the header or, if the header is not specific, the content type that the bytes and the
 * file name show.
 */
function typeOf(input: PageInput): ContentType {
  const contentType = parseContentType(input.contentType);
  if (UNKNOWN.has(contentType.type)) contentType.type = sniffType(input.body) || contentType.type;
  else if (VAGUE.has(contentType.type) && isDocumentName(input.url) && isZip(input.body))
    contentType.type = OFFICE_TYPE!;
  else if (isFeedName(input.url, contentType.type)) contentType.type = 'application/feed+json';
  else if (contentType.type === 'text/plain' && MARKDOWN_NAME.test(pathOf(input.url))) {
    contentType.type = 'text/markdown';
  }
  return contentType;
}

/**
 * Returns true if the URL of a JSON file names a feed: `feed.json`, `/posts.feed.json`. Other JSON is not
 * fetched.
 */
function isFeedName(url: CanonicalUrl, type: string): boolean {
  return type === 'application/json' && FEED_NAME.test(fileOf(url));
}

/** Returns true if the URL names an office document, an e-book or a PDF. */
function isDocumentName(url: CanonicalUrl): boolean {
  return isOfficeName(fileOf(url)) || /\.pdf$/i.test(fileOf(url));
}

function fileOf(url: CanonicalUrl): string {
  return pathOf(url).split('?', 1)[0]!;
}

function isZip(body: Uint8Array): boolean {
  return openingOf(body).startsWith(ZIP_OPENING);
}

function sniffType(body: Uint8Array): string {
  const opening = openingOf(body);
  if (PDF_OPENING.test(opening)) return 'application/pdf';
  if (isZip(body)) return OFFICE_TYPE!;
  return HTML_OPENING.test(opening.replace(/^\ufeff/, '')) ? 'text/html' : '';
}

/** Parses a feed or an XHTML page; returns null for sitemaps and all other XML. */
function parseXml(input: PageInput, contentType: ContentType, budget: WorkBudget): Page | null {
  if (!XHTML_OPENING.test(openingOf(input.body))) return parseXmlFeed(input, contentType, budget);
  return parseHtml(input, { ...contentType, type: 'application/xhtml+xml' }, budget);
}

function openingOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 1024)).toString('utf8');
}
