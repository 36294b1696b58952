/**
 * From a response to a `Page`, whatever its format. A format is a line in `PARSERS`.
 *
 * Never throws, whatever the bytes are: what the web brings is not an error.
 */
import { type CanonicalUrl, pathOf } from '../url/mod.ts';
import { type ContentType, parseContentType } from './content-type.ts';
import { type Extractor, type ExtractorReport, extractWith } from './extractor.ts';
import { parseJsonFeed, parseXmlFeed } from './feed.ts';
import { parseHtml } from './html-page.ts';
import { parseMarkdown } from './markdown.ts';
import type { Page } from './page.ts';
import type { PageInput } from './page-input.ts';
import { parsePdf } from './pdf/pdf-page.ts';
import { parsePlainText } from './plain-text.ts';

export interface ParseOptions {
  /** Asked in this order. */
  extractors?: readonly Extractor[];
  /** Told of an extractor that threw. */
  report?: ExtractorReport;
}

type Parser = (input: PageInput, contentType: ContentType) => Page | null;

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
]);

/** How HTML begins when no header says what it is. */
const HTML_OPENING = /^\s*<(?:!doctype html|html|head|body|title|meta|!--)/i;
/** XML that is a page after all: its root, or a doctype before it. */
const XHTML_OPENING = /<(?:!doctype\s+)?html[\s>]/i;
const PDF_OPENING = /^[\s\S]{0,100}%PDF-\d/;
const FEED_NAME = /[/._-]feeds?\.json$/i;
const MARKDOWN_NAME = /\.(?:md|markdown|mdown|mkd)$/i;
/** What servers say who do not know. */
const UNKNOWN = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/unknown']);

/** Null if this is a type that we do not read. */
export function parsePage(input: PageInput, { extractors = [], report }: ParseOptions = {}): Page | null {
  const parse = () => parseAs(typeOf(input), input);
  return extractors.length === 0 ? parse() : extractWith(extractors, input, parse, report);
}

/** Whether a body of this content type is worth fetching: one without a type may be HTML. */
export function readsContentType(contentType: string, extractors: readonly Extractor[] = []): boolean {
  const { type } = parseContentType(contentType);
  if (type === '' || PARSERS.has(type)) return true;
  return extractors.some(({ contentTypes = [] }) => contentTypes.includes(type));
}

function parseAs(contentType: ContentType, input: PageInput): Page | null {
  return PARSERS.get(contentType.type)?.(input, contentType) ?? null;
}

/** What the header says, or what the bytes and the name look like if it says nothing of use. */
function typeOf(input: PageInput): ContentType {
  const contentType = parseContentType(input.contentType);
  if (UNKNOWN.has(contentType.type)) contentType.type = sniffType(input.body) || contentType.type;
  else if (isFeedName(input.url, contentType.type)) contentType.type = 'application/feed+json';
  else if (contentType.type === 'text/plain' && MARKDOWN_NAME.test(pathOf(input.url))) {
    contentType.type = 'text/markdown';
  }
  return contentType;
}

/** JSON is fetched only under a name that says what it is: `feed.json`, `/blog/feed.json`, `/posts.feed.json`. */
export function isFeedName(url: CanonicalUrl, contentType: string): boolean {
  return (
    parseContentType(contentType).type === 'application/json' && FEED_NAME.test(pathOf(url).split('?', 1)[0]!)
  );
}

function sniffType(body: Uint8Array): string {
  const opening = openingOf(body);
  if (PDF_OPENING.test(opening)) return 'application/pdf';
  return HTML_OPENING.test(opening.replace(/^\ufeff/, '')) ? 'text/html' : '';
}

/** A feed or a page; sitemaps and all other XML are none. */
function parseXml(input: PageInput, contentType: ContentType): Page | null {
  if (!XHTML_OPENING.test(openingOf(input.body))) return parseXmlFeed(input, contentType);
  return parseHtml(input, { ...contentType, type: 'application/xhtml+xml' });
}

function openingOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 1024)).toString('utf8');
}
