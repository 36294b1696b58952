/**
 * From a response to a `Page`, whatever its format. A format is a line in `PARSERS`.
 *
 * Never throws, whatever the bytes are: what the web brings is not an error.
 */
import { type ContentType, parseContentType } from './content-type.ts';
import { parseHtml } from './html-page.ts';
import type { Page } from './page.ts';
import type { PageInput } from './page-input.ts';
import { parsePlainText } from './plain-text.ts';

type Parser = (input: PageInput, contentType: ContentType) => Page | null;

const PARSERS: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  ['text/html', parseHtml],
  ['application/xhtml+xml', parseHtml],
  ['text/plain', parsePlainText],
]);

/** How HTML begins when no header says what it is. */
const HTML_OPENING = /^\s*<(?:!doctype html|html|head|body|title|meta|!--)/i;

/** Null if this is a type that we do not read. */
export function parsePage(input: PageInput): Page | null {
  const contentType = parseContentType(input.contentType);
  if (contentType.type === '') contentType.type = sniffType(input.body);
  return PARSERS.get(contentType.type)?.(input, contentType) ?? null;
}

/** Whether a body of this content type is worth fetching: one without a type may be HTML. */
export function readsContentType(contentType: string): boolean {
  const { type } = parseContentType(contentType);
  return type === '' || PARSERS.has(type);
}

function sniffType(body: Uint8Array): string {
  const opening = Buffer.from(body.subarray(0, 512))
    .toString('utf8')
    .replace(/^\ufeff/, '');
  return HTML_OPENING.test(opening) ? 'text/html' : '';
}
