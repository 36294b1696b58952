/** Selects the pictures of a page for image search, with all texts that say what each picture shows. */
import type { StoredImage } from '../index/mod.ts';
import { headingLevel, type Page } from '../page/mod.ts';
import { unescaped } from '../url/mod.ts';

/** At most this many pictures are stored for a page; the first ones on the page are taken. */
const MAX_IMAGES = 30;
const MAX_HEADING = 150;
/** At most this many characters of the paragraph before a picture, and of the paragraph after it, are its context. */
const MAX_PARAGRAPH = 200;
/** The number of characters before and after a picture in which its paragraphs are searched. */
const REACH = 600;

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
      [alt, caption, title, heading, wordsOfFile(url), ...paragraphsAround(page, at)].filter(
        (text) => text !== '',
      ),
    );
    return { url, label: label.replace(BULLET, ''), context: context.join('\n') };
  });
}

/** Matches signs at the beginning of a text, such as the bullet that stands for a picture in a text browser. */
const BULLET = /^(?:\[\W*\]|[*•·–—|>-]+)\s+(?=\S)/u;

/** Returns the end of the paragraph before a picture, and the beginning of the paragraph after it. */
function paragraphsAround({ text, noSnippet = [] }: Page, at: number): string[] {
  const before = text.slice(Math.max(0, at - REACH), at).trimEnd();
  const after = text.slice(at, at + REACH).trimStart();
  const start = Math.max(0, at - REACH);
  if (noSnippet.some(([from, to]) => from < at + REACH && to > start)) return [];
  return [
    before.slice(before.lastIndexOf('\n') + 1).slice(-MAX_PARAGRAPH),
    (after.split('\n').find((line) => line.length > 1 && !FILE.test(line)) ?? '').slice(0, MAX_PARAGRAPH),
  ];
}

/** Matches the name of a picture file, which some programs write as the text of the picture. */
const FILE = /^\S+\.(?:png|jpe?g|gif|svg|webp|bmp)$/i;

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
