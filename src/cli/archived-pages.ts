/**
 * What archived pages say, for answer boxes and assistants: the newest copy of a page, read again. A page that asks for
 * no copies (`noarchive`), no quotations (`nosnippet`) or not to be found is not told; nor is, of others, what must not
 * be quoted (`data-nosnippet`).
 */
import type { PageReader, ReadablePage } from '../answer/mod.ts';
import type { Clock } from '../base/mod.ts';
import { quotableOf } from '../build/mod.ts';
import { type Page, readFeedEntries, readInfobox } from '../page/mod.ts';
import type { CopyContent, PageArchive } from '../serve/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

export function readablePages(archive: PageArchive, clock: Clock): PageReader {
  return {
    read(url) {
      const canonical = canonicalize(url);
      const [newest] = canonical ? archive.copies(canonical) : [];
      const content = canonical && newest ? archive.read(canonical, newest.at) : null;
      if (!canonical || !newest || !content || !mayBeTold(content.page, clock.now())) return null;
      return readable(canonical, content, newest.fetchedAt);
    },
  };
}

function mayBeTold({ robots }: Page, now: number): boolean {
  const { index, archive, snippet, maxSnippet, unavailableAfter } = robots;
  return index && archive && snippet && maxSnippet === undefined && (unavailableAfter ?? now + 1) > now;
}

function readable(
  url: CanonicalUrl,
  { page, contentType, body }: CopyContent,
  fetchedAt: number,
): ReadablePage {
  const { title, structured, publishedAt } = page;
  const { text } = quotableOf(page);
  const input = { url, contentType, body, xRobotsTag: [] };
  return {
    ...{ title, text, items: structured ?? [], fetchedAt },
    facts: page.contentType === 'text/html' ? readInfobox(input) : [],
    entries: page.kind === 'feed' ? readFeedEntries(input) : [],
    ...(publishedAt !== undefined && { publishedAt }),
  };
}
