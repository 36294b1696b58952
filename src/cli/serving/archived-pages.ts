/**
 * Reads archived pages for answer boxes and assistants: parses the newest copy of a page again. Pages with
 * `noindex`, `noarchive` or `nosnippet` are withheld. Passages marked `data-nosnippet` are left out of all other
 * pages.
 */
import type { PageReader, ReadablePage } from '../../answer/mod.ts';
import type { Clock } from '../../base/mod.ts';
import { quotableOf } from '../../build/mod.ts';
import { mayBeTold } from '../../page/mod.ts';
import type { ArchivedPage, PageArchive } from '../../serve/mod.ts';
import { canonicalize } from '../../url/mod.ts';

export function readablePages(archive: Pick<PageArchive, 'page'>, clock: Clock): PageReader {
  return {
    async read(url) {
      const canonical = canonicalize(url);
      const found = canonical ? await archive.page(canonical) : { kind: 'none' as const };
      if (found.kind === 'page')
        return mayBeTold(found.page, clock.now())
          ? { kind: 'page', page: readable(found) }
          : { kind: 'none' };
      return { kind: found.kind === 'late' || found.kind === 'busy' ? 'late' : 'none' };
    },
  };
}

function readable({ page, facts, entries, fetchedAt }: ArchivedPage): ReadablePage {
  const { title, description, structured, publishedAt } = page;
  const { text } = quotableOf({ ...page, links: [] });
  return {
    ...{ title, description, text, items: structured ?? [], facts, entries, fetchedAt },
    ...(publishedAt !== undefined && { publishedAt }),
  };
}
