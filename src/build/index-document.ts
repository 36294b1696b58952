/** A journalled page as the index wants it: fields instead of marks, and the URL as words. */
import type { PageRecord } from '../archive/mod.ts';
import { Field, type IndexDocument } from '../index/mod.ts';
import { MarkKind } from '../page/mod.ts';
import { type CanonicalUrl, fingerprint, hostOf, pathOf } from '../url/mod.ts';
import { quotableOf } from './quotable.ts';

const FIELD_OF: Record<MarkKind, Field> = {
  [MarkKind.heading1]: Field.heading,
  [MarkKind.heading2]: Field.heading,
  [MarkKind.heading3]: Field.heading,
  [MarkKind.emphasis]: Field.emphasis,
  [MarkKind.link]: Field.link,
};

/** A page that asks not to be quoted is found by its words, but they are not stored. */
export function indexDocumentOf(record: PageRecord): IndexDocument {
  const { url, fetchedAt, page } = record;
  const { title, text, language } = page;
  return {
    stored: { url, title, language, fetchedAt, ...quotableOf(page) },
    fingerprint: fingerprint(url),
    host: hostOf(url),
    urlDepth: depthOf(url),
    title,
    text,
    stretches: page.marks.map(({ start, end, kind }) => ({ start, end, field: FIELD_OF[kind] })),
    urlText: `${hostOf(url)} ${unescaped(pathOf(url))}`,
  };
}

/** How far below the home page: parts of the path, and one for a query. `/index.html` is the home page. */
export function depthOf(url: CanonicalUrl): number {
  const [path = '', query] = pathOf(url).split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  if (/^index\.\w+$/.test(parts.at(-1) ?? '')) parts.pop();
  return parts.length + (query ? 1 : 0);
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
