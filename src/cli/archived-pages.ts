/**
 * What archived pages say, for answer boxes and assistants: the newest copy of a page, read again. A page that asks for
 * no copies (`noarchive`), no quotations (`nosnippet`) or not to be found is not told.
 */

import type { PageReader, ReadablePage } from '../answer/mod.ts';
import {
  type ArchiveReader,
  type CdxEntry,
  findOriginal,
  mayHaveMeaning,
  meaningOf,
} from '../archive/mod.ts';
import type { Clock } from '../base/mod.ts';
import type { Page } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

export function archivedPages(archive: ArchiveReader, clock: Clock): PageReader {
  return {
    read(url) {
      const canonical = canonicalize(url);
      const entry = canonical && archive.find(canonical).find(isPage);
      const page = entry && canonical ? pageOf(archive, entry, canonical) : null;
      if (!entry || !page || !mayBeTold(page, clock.now())) return null;
      return readable(page, fetchedAt(entry));
    },
  };
}

function isPage(entry: CdxEntry): boolean {
  return entry.status <= 200 && mayHaveMeaning(entry);
}

/** A capture that found the page unchanged has the body of an earlier one. */
function pageOf(archive: ArchiveReader, entry: CdxEntry, url: CanonicalUrl): Page | null {
  const meaning = meaningOf(archive.read(entry), url);
  if (meaning.kind === 'page') return meaning.page;
  if (meaning.kind !== 'revisit') return null;
  const original = findOriginal(archive, meaning);
  const originalUrl = original && canonicalize(original.url);
  if (!original || !originalUrl) return null;
  const earlier = meaningOf(archive.read(original), originalUrl);
  return earlier.kind === 'page' ? earlier.page : null;
}

function mayBeTold({ robots }: Page, now: number): boolean {
  const { index, archive, snippet, maxSnippet, unavailableAfter } = robots;
  return index && archive && snippet && maxSnippet === undefined && (unavailableAfter ?? now + 1) > now;
}

function readable(page: Page, at: number): ReadablePage {
  const { title, text, structured, publishedAt } = page;
  return {
    ...{ title, text, items: structured ?? [], fetchedAt: at },
    ...(publishedAt !== undefined && { publishedAt }),
  };
}

function fetchedAt({ timestamp }: CdxEntry): number {
  const [date, time] = [timestamp.slice(0, 8), timestamp.slice(8, 14)];
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
  return Date.parse(iso);
}
