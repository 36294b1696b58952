/** Which copy of which page a request is about, and whether it may be shown. */
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { problemInWords } from '../errors.ts';
import { type QueryParameters, readText } from '../search-input.ts';
import type { Site } from '../site.ts';
import { MAX_COPY_BYTES } from './copy-document.ts';
import { allowsCopies, type CopyContent, type PageCopy } from './page-archive.ts';

export interface FoundCopy {
  kind: 'copy';
  copy: PageCopy;
  content: CopyContent;
  /** All copies of the page, the newest first. */
  copies: PageCopy[];
  /** It is too long to be shown whole. */
  isCut: boolean;
}

export interface NoCopy {
  kind: 'none' | 'refused';
}

export function readAddress(parameters: QueryParameters): CanonicalUrl {
  const url = canonicalize(readText(parameters, 'url'));
  if (url) return url;
  throw problemInWords(400, 'bad-url', 'detail.url', { name: 'url', example: 'https://example.org/' });
}

/** The copy that the parameter `name` asks for by its time; the newest if it does not. */
export function chooseCopy(
  site: Site,
  url: CanonicalUrl,
  parameters: QueryParameters,
  name: string,
): FoundCopy | NoCopy {
  return copyChooser(site, url)(readText(parameters, name));
}

/** Chooses copies of one page by their times; each is read once, the newest always, since it speaks for all. */
export function copyChooser(site: Site, url: CanonicalUrl): (at: string) => FoundCopy | NoCopy {
  const { archive, clock } = site;
  const copies = archive?.copies(url) ?? [];
  const contents = new Map<string, CopyContent | null>();
  const read = (at: string) => {
    if (!contents.has(at)) contents.set(at, archive!.read(url, at));
    return contents.get(at)!;
  };
  return (at) => {
    const newest = copies[0] && read(copies[0].at);
    if (newest && !allowsCopies(newest.page, clock.now())) return { kind: 'refused' };
    const copy = at === '' ? copies[0] : copies.find((each) => each.at === at);
    const content = copy && read(copy.at);
    if (!copy || !content) return { kind: 'none' };
    if (!allowsCopies(content.page, clock.now())) return { kind: 'refused' };
    return { kind: 'copy', copy, content, copies, isCut: content.body.length > MAX_COPY_BYTES };
  };
}
