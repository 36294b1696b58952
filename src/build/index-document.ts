/**
 * Converts a page of the journal to a document for the index: marked ranges of text become fields, and the URL
 * is split into words.
 */

import { DAY_MS } from '../base/mod.ts';
import { DocumentKind, documentType, Field, type FieldRange, type IndexDocument } from '../index/mod.ts';
import type { PageRecord } from '../journal/mod.ts';
import { MarkKind, type Page, subjectRange, translationKeyOf, urlFitOf } from '../page/mod.ts';
import { signatureOf } from '../sketch/mod.ts';
import {
  type CanonicalUrl,
  entryDirectoryOf,
  fingerprint,
  hostOf,
  isEntryUrl,
  pathOf,
  unescaped,
} from '../url/mod.ts';
import { documentKindOf } from './document-kind.ts';
import { familyRatingOf } from './family-rating.ts';
import { storedImagesOf } from './stored-images.ts';
import { qualityOf } from './quality.ts';
import { quotableOf } from './quotable.ts';

const FIELD_OF: Record<MarkKind, Field> = {
  [MarkKind.heading1]: Field.heading,
  [MarkKind.heading2]: Field.heading,
  [MarkKind.heading3]: Field.heading,
  [MarkKind.heading4]: Field.heading,
  [MarkKind.heading5]: Field.heading,
  [MarkKind.heading6]: Field.heading,
  [MarkKind.emphasis]: Field.emphasis,
  [MarkKind.link]: Field.link,
};

/** Maps content types to the format names of the `filetype:` operator, such as `application/pdf` to `pdf`. */
const TYPES: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  'application/rss+xml': 'xml',
  'application/atom+xml': 'xml',
  'application/rdf+xml': 'xml',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'application/feed+json': 'json',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/epub+zip': 'epub',
};

export function indexDocumentOf(record: PageRecord): IndexDocument {
  const { url, fetchedAt, page } = record;
  const { title, text, language } = page;
  const kind = documentKindOf(page, url);
  const images = storedImagesOf(page);
  return {
    stored: {
      ...{ url, title, language, fetchedAt },
      ...quotableOf(page),
      ...(images.length > 0 && { images }),
      ...(page.robots.archive ? {} : { noCopy: true }),
    },
    fingerprint: fingerprint(url),
    host: hostOf(url),
    urlDepth: depthOf(url),
    title,
    titleSubject: subjectRange(title, hostOf(url)),
    text,
    fieldRanges: fieldRangesOf(page),
    ...urlWordsOf(url),
    isEntry: kind !== DocumentKind.listing && isEntryUrl(url),
    type: documentType(
      TYPES[page.contentType] ?? '',
      kind,
      endingOf(url),
      familyRatingOf(page),
      images.length > 0,
      page.collections,
    ),
    day: dayOf(page, fetchedAt),
    quality: qualityOf(page),
    signature: signatureOf(page),
    urlFit: urlFitOf(url, page),
    translationKey: translationKeyOf(url, page),
  };
}

/**
 * If a page states that it was changed less than this time (in ms) before its fetch, the date is ignored: a
 * server that generates pages on request may state the time of the response.
 */
const AT_ONCE_MS = 60_000;

/**
 * Returns the day that the page or its server states, as days since 1970. Returns 0 if neither states a
 * credible day.
 */
function dayOf({ publishedAt, modifiedAt }: Page, fetchedAt: number): number {
  const changedAt = modifiedAt !== undefined && modifiedAt > fetchedAt - AT_ONCE_MS ? undefined : modifiedAt;
  const statedAt = [publishedAt, changedAt].find((time) => time !== undefined && time <= fetchedAt) ?? 0;
  return Math.floor(statedAt / DAY_MS);
}

/**
 * Returns the ranges of the page's text that are not plain body text (menus, headings, links and so on),
 * ascending.
 */
function fieldRangesOf({ marks, boilerplate = [] }: Page): FieldRange[] {
  const menus = boilerplate.map(([start, end]) => ({ start, end, field: Field.menu }));
  const marked = marks.map(({ start, end, kind }) => ({ start, end, field: FIELD_OF[kind] }));
  return [...menus, ...marked].sort((a, b) => a.start - b.start);
}

/** Returns the URL as text to index, and the range in it of the last path segment, which names the page. */
function urlWordsOf(url: CanonicalUrl): Pick<IndexDocument, 'urlText' | 'urlName'> {
  const host = hostOf(url);
  const [path = ''] = pathOf(url).split('?', 1);
  const parts = path.split('/').map(unescaped);
  const named = isEntryUrl(url) ? parts.slice(0, -1) : parts;
  const start = `${host} ${named.slice(0, -1).join('/')}/`.length;
  const end = start + named.at(-1)!.replace(/\.\w{1,5}$/, '').length;
  const urlText = `${host} ${unescaped(pathOf(url))}`;
  return named.length > 1 ? { urlText, urlName: { start, end } } : { urlText };
}

/** For the depth of a URL, this number of characters of path and query counts as much as one path segment. */
const LEVEL_LENGTH = 40;

/**
 * Returns the depth of a URL below the home page: the number of path segments, plus one if there is a query. A
 * very long path or query counts as deeper, by its length. `/index.html` counts as the home page.
 */
export function depthOf(url: CanonicalUrl): number {
  const [path = '', query] = pathOf(url).split('?', 2);
  const entered = entryDirectoryOf(path) ?? path;
  const parts = entered.split('/').filter((part) => part !== '');
  const length = parts.join('/').length + (query?.length ?? 0);
  return Math.max(parts.length + (query ? 1 : 0), Math.floor(length / LEVEL_LENGTH));
}

/**
 * Returns the file extension of the URL's path: `md` for `/guide.md`, the empty string for `/guide` and `/`.
 */
function endingOf(url: CanonicalUrl): string {
  const [path = ''] = pathOf(url).split('?', 1);
  return /\.([a-z0-9]{1,8})$/i.exec(path)?.[1] ?? '';
}
