/**
 * Documents that never were web pages: a line of JSON with a text and, mostly, a title.
 *
 *   {"id":"1","url":"https://example.org/a","title":"…","text":"…"}
 *
 * `body` is understood for `text`; what else it may say of itself is in document-details.ts. In the archive such a line is a `resource` record, so that the journal can be made from it again. One
 * without a URL gets an address below `.invalid`, a name that can never exist (RFC 2606): document 7 of
 * `news.jsonl` is https://news.invalid/7.
 */
import { messageOf, sha1Base32 } from '../base/mod.ts';
import { cut, MAX_TITLE, type Page, parsePage } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import { type DocumentDetails, readDetails, withDetails, writeDetails } from './document-details.ts';

/** A larger document is refused: records of the archive are read back whole. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
export const DOCUMENT_TYPE = 'application/vnd.gyre.document+json';

/** Control characters that are no white space. */
const CONTROLS = /[^\P{Cc}\t\n\v\f\r]/gu;

export interface TextDocument extends DocumentDetails {
  url: CanonicalUrl;
  title: string;
  text: string;
}

/** A line that is such a document, or why it is none. */
export type ParsedDocument = { document: TextDocument } | { problem: string };

/** `collection` names documents that have no URL. */
export function parseDocument(line: string, collection: string): ParsedDocument {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { problem: `no JSON: ${messageOf(error).replace(CONTROLS, ' ')}` };
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
  if (!address) return { problem: `"${hasUrl ? url.slice(0, 200) : id}" is no web address` };
  return { document: { url: address, title, text, ...readDetails(fields, address) } };
}

/** What the archive keeps of it. */
export function encodeDocument({ url, title, text, ...details }: TextDocument): Buffer {
  return Buffer.from(JSON.stringify({ url, title, text, ...writeDetails(details) }));
}

/** Of what it says, whatever its address: documents that say the same are duplicates. */
export function documentDigest({ title, text }: TextDocument): string {
  return sha1Base32(Buffer.from(JSON.stringify([title, text])));
}

/**
 * Read as plain text is, with its title, which is cut like that of any page. Somebody called it a text: control characters
 * in it, which in a file from the web would tell that it is none, only separate words.
 */
export function pageOfDocument({ url, title, text, ...details }: TextDocument): Page | null {
  const contentType = 'text/plain; charset=utf-8';
  const body = Buffer.from(text.replace(CONTROLS, ' '));
  const contentLanguage = details.language ?? '';
  const page = parsePage({ url, contentType, body, xRobotsTag: [], contentLanguage });
  const named = title.toWellFormed().replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
  return page && withDetails({ ...page, title: cut(named, MAX_TITLE).trimEnd() || page.title }, details);
}

/** The identifier of a document that has none but an address below `.invalid`; null for any other URL. */
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
