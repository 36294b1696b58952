/**
 * Documents that never were web pages: a line of JSON with a text and, mostly, a title.
 *
 *   {"id":"1","url":"https://example.org/a","title":"…","text":"…"}
 *
 * In the archive such a line is a `resource` record, so that the journal can be made from it again. One
 * without a URL gets an address below `.invalid`, a name that can never exist (RFC 2606): document 7 of
 * `news.jsonl` is https://news.invalid/7.
 */
import { sha1Base32 } from '../base/mod.ts';
import { type Page, parsePage } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

export const DOCUMENT_TYPE = 'application/vnd.gyre.document+json';

export interface TextDocument {
  url: CanonicalUrl;
  title: string;
  text: string;
}

/** Null for a line that is no such document. `collection` names those that have no URL. */
export function parseDocument(line: string, collection: string): TextDocument | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { id, url, title = '', text } = value as Record<string, unknown>;
  const address = typeof url === 'string' && url !== '' ? canonicalize(url) : addressOf(id, collection);
  if (!address || typeof text !== 'string' || typeof title !== 'string') return null;
  return { url: address, title, text };
}

/** What the archive keeps of it. */
export function encodeDocument({ url, title, text }: TextDocument): Buffer {
  return Buffer.from(JSON.stringify({ url, title, text }));
}

/** Of what it says, whatever its address: documents that say the same are duplicates. */
export function documentDigest({ title, text }: TextDocument): string {
  return sha1Base32(Buffer.from(JSON.stringify([title, text])));
}

/** Read as plain text is, with its title. */
export function pageOfDocument({ url, title, text }: TextDocument): Page | null {
  const contentType = 'text/plain; charset=utf-8';
  const page = parsePage({ url, contentType, body: Buffer.from(text), xRobotsTag: [] });
  return page && { ...page, title: title.replace(/\s+/g, ' ').trim() || page.title };
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

function addressOf(id: unknown, collection: string): CanonicalUrl | null {
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const host = collection
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
  return canonicalize(`https://${host || 'documents'}.invalid/${encodeURIComponent(String(id))}`);
}
