/**
 * Documents that are not web pages: one line of JSON with a text and usually a title.
 *
 *   {"id":"1","url":"https://example.org/a","title":"…","text":"…"}
 *
 * `body` is accepted for `text`; document-details.ts reads the other fields. In the archive such a line is a
 * `resource` record, so that the journal can be rebuilt from it. A document without a URL gets one below
 * `.invalid`, a top-level domain that can never exist (RFC 2606): document 7 of `news.jsonl` is
 * https://news.invalid/7.
 */
import { messageOf, sha1Base32 } from '../base/mod.ts';
import { cut, MAX_TITLE, type Page, parsePage } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import { type DocumentDetails, readDetails, withDetails, writeDetails } from './document-details.ts';

/**
 * The size limit of a JSONL document. Larger documents are refused, because the archive reads records back
 * whole.
 */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
export const DOCUMENT_TYPE = 'application/vnd.gyre.document+json';

const CONTROLS = /[^\P{Cc}\t\n\v\f\r]/gu;

export interface TextDocument extends DocumentDetails {
  url: CanonicalUrl;
  title: string;
  text: string;
}

/** A parsed JSONL document, or the reason why its line is invalid. */
type ParsedDocument = { document: TextDocument } | { problem: string };

/**
 * Parses a line of a JSONL file. A document without a URL gets one made from its id and `collection`, the
 * name of the file.
 */
export function parseDocument(line: string, collection: string): ParsedDocument {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { problem: `no JSON: ${printable(messageOf(error))}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'no JSON object' };
  }
  return documentOf(value as Record<string, unknown>, collection);
}

function documentOf(fields: Record<string, unknown>, collection: string): ParsedDocument {
  const { id, url, title = '', text = fields.body } = fields;
  if (typeof text !== 'string') return { problem: 'no string "text" or "body"' };
  if (typeof title !== 'string') return { problem: '"title" is no string' };
  const hasUrl = typeof url === 'string' && url !== '';
  if (!hasUrl && typeof id !== 'string' && typeof id !== 'number') {
    return { problem: 'neither "url" nor "id"' };
  }
  const address = hasUrl ? canonicalize(url) : addressOf(String(id), collection);
  if (!address)
    return { problem: `"${printable(hasUrl ? url.slice(0, 200) : String(id))}" is no web address` };
  return { document: { url: address, title, text, ...readDetails(fields, address) } };
}

/** Returns the payload of the record that stores the document in the archive. */
export function encodeDocument({ url, title, text, ...details }: TextDocument): Buffer {
  return Buffer.from(JSON.stringify({ url, title, text, ...writeDetails(details) }));
}

/** Returns a part of the line for a message: without control characters, which would change a terminal. */
function printable(text: string): string {
  return text.toWellFormed().replace(CONTROLS, ' ');
}

/** Returns a digest of title and text without the URL. Documents with the same digest are duplicates. */
export function documentDigest({ title, text }: TextDocument): string {
  return sha1Base32(Buffer.from(JSON.stringify([title, text])));
}

/**
 * Converts a document to a page: its text is parsed as plain text, and its title is cut to the usual limit.
 * Control characters in the text are replaced by spaces: the parser would take them as a sign of a binary
 * file, but the user has declared this a text.
 */
export function pageOfDocument({ url, title, text, ...details }: TextDocument): Page | null {
  const contentType = 'text/plain; charset=utf-8';
  const body = Buffer.from(text.replace(CONTROLS, ' '));
  const contentLanguage = details.language ?? '';
  const page = parsePage({ url, contentType, body, xRobotsTag: [], contentLanguage });
  const named = title.toWellFormed().replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
  return page && withDetails({ ...page, title: cut(named, MAX_TITLE).trimEnd() || page.title }, details);
}

/**
 * Returns the id of a document that was imported without a URL, from its made-up URL below `.invalid`.
 * Returns null for any other URL.
 */
export function documentIdOf(url: string): string | null {
  const [, id] = /^https:\/\/[^/]+\.invalid\/(.+)$/.exec(url) ?? [];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function addressOf(id: string, collection: string): CanonicalUrl | null {
  const host = collection
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
  return canonicalize(`https://${host || 'documents'}.invalid/${encodeURIComponent(id.toWellFormed())}`);
}
