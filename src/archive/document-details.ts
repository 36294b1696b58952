/**
 * Optional fields of a JSONL document besides title and text, as `gyre export` writes them:
 *
 *   {…,"description":"…","language":"en","contentType":"text/html","publishedAt":"2026-07-15T10:00:00.000Z",
 *    "modifiedAt":"…","fetchedAt":"…","links":[{"url":"https://example.org/b","text":"more","nofollow":false}]}
 *
 * `date` is accepted for `publishedAt`. Invalid values are ignored without an error, because the document can
 * be used without them.
 */
import {
  foldSpace,
  type Link,
  MAX_DESCRIPTION,
  MAX_LINK_TEXT,
  MAX_LINKS,
  type Page,
  parseDate,
} from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

export interface DocumentDetails {
  description?: string;
  /** The language as a BCP 47 tag. Language detection on the text may overrule it. */
  language?: string;
  /**
   * The content type of the original document before its text was extracted, for the query operator
   * `filetype:`.
   */
  contentType?: string;
  publishedAt?: number;
  modifiedAt?: number;
  fetchedAt?: number;
  links?: Link[];
}

type Fields = Record<string, unknown>;

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;
const CONTENT_TYPE = /^[a-z]+\/[a-z0-9.+-]{1,100}$/i;
const MOMENTS = ['publishedAt', 'modifiedAt', 'fetchedAt'] as const;

/** Reads the optional fields of a JSONL document. Relative links are resolved against `url`. */
export function readDetails(fields: Fields, url: CanonicalUrl): DocumentDetails {
  const { description, language, contentType, links } = fields;
  const details: DocumentDetails = {};
  if (typeof description === 'string')
    details.description = foldSpace(description.toWellFormed(), MAX_DESCRIPTION);
  if (typeof language === 'string' && LANGUAGE.test(language)) details.language = language.toLowerCase();
  if (typeof contentType === 'string' && CONTENT_TYPE.test(contentType))
    details.contentType = contentType.toLowerCase();
  for (const name of MOMENTS) {
    const raw = fields[name] ?? (name === 'publishedAt' ? fields.date : undefined);
    const moment = typeof raw === 'string' ? parseDate(raw) : null;
    if (moment !== null) details[name] = moment;
  }
  if (Array.isArray(links)) details.links = readLinks(links, url);
  return details;
}

/** Returns the optional fields of a JSONL document. The inverse of `readDetails`. */
export function writeDetails(details: DocumentDetails): Fields {
  const moments = MOMENTS.flatMap((name) => {
    const moment = details[name];
    return moment === undefined ? [] : [[name, new Date(moment).toISOString()]];
  });
  return { ...details, ...Object.fromEntries(moments) };
}

export function withDetails(page: Page, details: DocumentDetails): Page {
  const { description, contentType, publishedAt, modifiedAt, links } = details;
  return {
    ...page,
    ...(description && { description }),
    ...(contentType && { contentType }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(modifiedAt !== undefined && { modifiedAt }),
    ...(links && { links }),
  };
}

function readLinks(links: readonly unknown[], base: CanonicalUrl): Link[] {
  return links.slice(0, MAX_LINKS).flatMap((link) => {
    const { url, text, nofollow } = (link ?? {}) as Fields;
    const to = typeof url === 'string' ? canonicalize(url, base) : null;
    if (!to) return [];
    const shown = typeof text === 'string' ? foldSpace(text.toWellFormed(), MAX_LINK_TEXT) : '';
    return [{ url: to, text: shown, nofollow: nofollow === true }];
  });
}
