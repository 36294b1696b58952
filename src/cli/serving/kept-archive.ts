/** An archive that hides removed pages, although it may still contain their captures. */
import type { CdxQuery } from '../../archive/mod.ts';
import type { PageArchive } from '../../serve/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';

const NONE = { kind: 'none' } as const;

export function withoutRemoved(archive: PageArchive, isRemoved: (url: CanonicalUrl) => boolean): PageArchive {
  const isRemovedText = (text: string) => {
    const url = canonicalize(text);
    return url !== null && isRemoved(url);
  };
  return {
    copy: async (url, at, query) => (isRemoved(url) ? NONE : archive.copy(url, at, query)),
    compare: async (url, from, to) => (isRemoved(url) ? NONE : archive.compare(url, from, to)),
    page: async (url) => (isRemoved(url) ? NONE : archive.page(url)),
    ...(archive.contents && {
      contents: async (url: CanonicalUrl) => (isRemoved(url) ? NONE : archive.contents!(url)),
    }),
    ...(archive.captures && {
      captures: async (query: CdxQuery) => {
        const found = await archive.captures!(query);
        if (found.kind !== 'captures') return found;
        return { ...found, captures: found.captures.filter(({ url }) => !isRemovedText(url)) };
      },
    }),
    picture: async (url) => (isRemoved(url) ? null : archive.picture(url)),
  };
}
