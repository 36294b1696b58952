/**
 * Selects the parts of a page's text that distinguish it from other pages of its site: all but the
 * boilerplate that `page/` found. Menus, side bars and footers are the same on every page, or different on
 * every visit; both would distort the comparison.
 */
import { crc32 } from 'node:zlib';
import { MarkKind, type Page, type Range } from '../../page/mod.ts';

/** If fewer characters would be left, the page is a list of links by nature, and its whole text is used. */
const LEAST_LENGTH = 200;
/** Longer content is distinguished by its sketch and the title. */
const LITTLE_LENGTH = 4000;

type PageText = Pick<Page, 'text' | 'boilerplate'>;
export type IdentifiedPage = PageText & Pick<Page, 'title' | 'language' | 'marks'>;

/** Returns ascending ranges of the text. */
export function contentRanges(page: PageText): Range[] {
  const ranges = ownRanges(page);
  return lengthOf(ranges) < LEAST_LENGTH ? [[0, page.text.length]] : ranges;
}

/**
 * Returns a hash of what makes a page different from any other, however similar their texts are: language, title and
 * first heading. A page with hardly any content of its own is compared with its menus, so its content is part of the
 * hash, too.
 */
export function identityKey(page: IdentifiedPage): number {
  const { language, title, text, marks } = page;
  const heading = marks.find(({ kind }) => kind === MarkKind.heading1);
  const ranges = ownRanges(page);
  return crc32(
    [
      language.split('-', 1)[0],
      foldName(title),
      heading ? foldName(text.slice(heading.start, heading.end)) : '',
      lengthOf(ranges) < LEAST_LENGTH ? textOf(text, ranges) : '',
    ].join('\n'),
  );
}

/** Ignores case, punctuation and permalink signs such as ¶. */
function foldName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Returns a hash of the title and, if the content is short, of the content, both without digits. The sketch
 * of a page with a few lines of its own next to a large menu is the sketch of the menu; a different key shows
 * that it is a different page.
 */
export function contentKey(page: PageText & Pick<Page, 'title'>): number {
  const ranges = ownRanges(page);
  const isLittle = lengthOf(ranges) < LITTLE_LENGTH;
  const content = isLittle ? textOf(page.text, ranges) : '';
  return keyWithoutDigits(`${page.title}\n${content}`);
}

export function keyWithoutDigits(text: string): number {
  return crc32(text.replace(/\d+/g, ''));
}

function textOf(text: string, ranges: readonly Range[]): string {
  return ranges.map(([start, end]) => text.slice(start, end)).join('\n');
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}

/** Returns all but the boilerplate. */
function ownRanges({ text, boilerplate = [] }: PageText): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  for (const [start, end] of boilerplate) {
    if (start > from) ranges.push([from, start]);
    from = end;
  }
  if (from < text.length) ranges.push([from, text.length]);
  return ranges;
}
