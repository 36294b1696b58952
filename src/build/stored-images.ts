/** Selects the pictures of a page for image search, with all texts that say what each picture shows. */
import type { StoredImage } from '../index/mod.ts';
import { headingLevel, type Page } from '../page/mod.ts';
import { unescaped } from '../url/mod.ts';

/** At most this many pictures are stored for a page; the first ones on the page are taken. */
const MAX_IMAGES = 30;
const MAX_HEADING = 150;

/**
 * Returns the pictures to store. A page that forbids quotations has no image results, because they would show
 * its texts.
 */
export function storedImagesOf(page: Page): StoredImage[] {
  const { snippet, maxSnippet } = page.robots;
  if (!snippet || maxSnippet !== undefined) return [];
  const quotable = (page.images ?? []).filter(
    ({ at }) => !page.noSnippet?.some(([start, end]) => start <= at && at < end),
  );
  return quotable.slice(0, MAX_IMAGES).map(({ url, at, alt = '', caption = '', title = '' }) => {
    const heading = headingBefore(page, at);
    const [label = '', ...context] = new Set(
      [alt, caption, title, heading, wordsOfFile(url)].filter((text) => text !== ''),
    );
    return { url, label, context: context.join('\n') };
  });
}

function headingBefore({ marks, text }: Page, at: number): string {
  const heading = marks.findLast(({ start, kind }) => start <= at && headingLevel(kind) > 0);
  return heading ? text.slice(heading.start, Math.min(heading.end, heading.start + MAX_HEADING)) : '';
}

/** Returns the words of a picture's file name: `tide chart` for `https://example.org/img/tide-chart_2.png`. */
function wordsOfFile(url: string): string {
  const [path = ''] = url.split('?', 1);
  return unescaped(path.slice(path.lastIndexOf('/') + 1))
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word.length > 2)
    .join(' ');
}
