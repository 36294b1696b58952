/**
 * Reads the contents of a page for programs: text, links and typed records of its newest capture. The page is parsed
 * again by the present rules, in the threads of `archive-pool.ts`.
 *
 * A page that asks that no copy be shown is withheld, as for cached copies. So is a page with a limit for quotations
 * (`nosnippet`, `max-snippet`). Passages marked `data-nosnippet` are left out of the text.
 */
import { type CaptureReader, currentCapture, findOriginal, interpretRecord } from '../../archive/mod.ts';
import {
  type Link,
  mayBeTold,
  type Page,
  type ParseOptions,
  type Range,
  type TypedRecord,
  typedRecords,
} from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { NoCopy } from './page-archive.ts';

export interface PageContents extends Pick<Page, 'title' | 'description' | 'language' | 'contentType'> {
  kind: 'contents';
  url: CanonicalUrl;
  publishedAt?: number;
  modifiedAt?: number;
  collections?: string[];
  /** True if the page was so expensive to read that its rest is missing. */
  incomplete?: true;
  text: string;
  links: Pick<Link, 'url' | 'text' | 'nofollow'>[];
  records: TypedRecord[];
  fetchedAt: number;
  /** The record of the archive: the time by which `/api/v1/admin/record` finds it, and its digest. */
  capture: { at: string; digest: string };
}

export function readContents(
  reader: CaptureReader,
  url: CanonicalUrl,
  options: ParseOptions,
  now: number,
): PageContents | NoCopy {
  const entry = currentCapture(reader, url, options);
  const record = entry && reader.tryRead(entry);
  if (!record) return { kind: 'none' };
  let meaning = interpretRecord(record, url, options);
  if (meaning.kind === 'revisit') {
    const original = findOriginal(reader, meaning);
    const earlier = original && reader.tryRead(original);
    if (!earlier) return { kind: 'none' };
    meaning = interpretRecord(earlier, url, options);
  }
  if (meaning.kind !== 'page') return { kind: 'none' };
  const { page, digest } = meaning;
  if (!mayBeTold(page, now)) return { kind: 'refused' };
  const { title, description, language, contentType, publishedAt, modifiedAt, collections = [] } = page;
  return {
    kind: 'contents',
    ...{ url, title, description, language, contentType },
    ...(publishedAt !== undefined && { publishedAt }),
    ...(modifiedAt !== undefined && { modifiedAt }),
    ...(collections.length > 0 && { collections }),
    ...(page.incomplete && { incomplete: true as const }),
    text: without(page.noSnippet ?? [], page.text),
    links: page.links.map((link) => ({ url: link.url, text: link.text, nofollow: link.nofollow })),
    records: typedRecords(page.structured ?? [], url),
    fetchedAt: record.date,
    capture: { at: entry.timestamp, digest },
  };
}

function without(ranges: readonly Range[], text: string): string {
  let from = 0;
  let kept = '';
  for (const [start, end] of ranges) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}
