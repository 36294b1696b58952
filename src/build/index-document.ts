/** A journalled page as the index wants it: fields instead of marks, and the URL as words. */
import type { PageRecord } from '../archive/mod.ts';
import { documentType, Field, type Heading, type IndexDocument } from '../index/mod.ts';
import { headingLevel, MarkKind, type Page } from '../page/mod.ts';
import { type CanonicalUrl, fingerprint, hostOf, pathOf, unescaped } from '../url/mod.ts';
import { documentKindOf } from './document-kind.ts';
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

/** By content type, as `filetype:` names them. */
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
};

const DAY_MS = 86_400_000;

export function indexDocumentOf(record: PageRecord): IndexDocument {
  const { url, fetchedAt, page } = record;
  const { title, text, language } = page;
  const { publishedAt, modifiedAt } = page;
  const quotable = quotableOf(page);
  return {
    stored: {
      ...{ url, title, language, fetchedAt },
      ...quotable,
      ...(quotable.text === text ? { headings: headingsOf(page) } : {}),
      ...(page.robots.archive ? {} : { noCopy: true }),
    },
    fingerprint: fingerprint(url),
    host: hostOf(url),
    urlDepth: depthOf(url),
    title,
    text,
    stretches: page.marks.map(({ start, end, kind }) => ({ start, end, field: FIELD_OF[kind] })),
    urlText: `${hostOf(url)} ${unescaped(pathOf(url))}`,
    type: documentType(TYPES[page.contentType] ?? '', documentKindOf(page), endingOf(url)),
    day: Math.floor((publishedAt ?? modifiedAt ?? fetchedAt) / DAY_MS),
    quality: qualityOf(page),
  };
}

function headingsOf({ marks }: Page): Heading[] {
  return marks
    .map(({ start, end, kind }) => ({ level: headingLevel(kind), start, end }))
    .filter(({ level }) => level > 0);
}

/** A path of so many characters is as far from the home page as one of one more part. */
const LEVEL_LENGTH = 40;

/**
 * How far below the home page: parts of the path, and one for a query; or by the length of both, if that is more.
 * `/index.html` is the home page.
 */
export function depthOf(url: CanonicalUrl): number {
  const [path = '', query] = pathOf(url).split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  if (/^index\.\w+$/.test(parts.at(-1) ?? '')) parts.pop();
  const length = parts.join('/').length + (query?.length ?? 0);
  return Math.max(parts.length + (query ? 1 : 0), Math.floor(length / LEVEL_LENGTH));
}

/** What stands behind the last dot of the path: `md` of `/guide.md`, nothing of `/guide` and `/`. */
function endingOf(url: CanonicalUrl): string {
  const [path = ''] = pathOf(url).split('?', 1);
  return /\.([a-z0-9]{1,8})$/i.exec(path)?.[1] ?? '';
}
