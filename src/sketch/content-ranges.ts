/**
 * Selects the text of a page that distinguishes it from other pages of its site: everything except the
 * boilerplate that `page/` found. Menus, side bars and footers may be the same on every page, or different on
 * every visit. In both cases they would distort the comparison.
 */
import { crc32 } from 'node:zlib';
import { MarkKind, type Page, type Range } from '../page/mod.ts';

/**
 * If the content of a page is shorter than this, in UTF-16 units, `contentKey` includes the content. For longer
 * content, the sketch and the title are enough to distinguish pages.
 */
const LITTLE_LENGTH = 4000;
/** Matches the signs with which headings link to themselves, such as `¶`. */
const PERMALINK = /[¶§🔗]|\s#$/gu;

export type PageText = Pick<Page, 'text' | 'boilerplate'>;
export type IdentifiedPage = PageText & Pick<Page, 'title' | 'language' | 'marks'>;

/**
 * Returns the ranges of content in ascending order. If the whole text is boilerplate, returns the whole text.
 */
export function contentRanges(page: PageText): Range[] {
  const ranges = ownRanges(page);
  return ranges.some(([start, end]) => page.text.slice(start, end).trim() !== '')
    ? ranges
    : [[0, page.text.length]];
}

export function contentOf(page: PageText): string {
  return textOf(page.text, contentRanges(page));
}

/**
 * Returns a hash of the language, the title and the first heading. Pages that differ in one of these are
 * different pages, even if their texts are similar. Punctuation counts: `operator<<` and `operator>>` are two
 * pages. Returns 0 for a page without a title and a heading.
 */
export function identityKey({ language, title, text, marks }: IdentifiedPage): number {
  const heading = marks.find(({ kind }) => kind === MarkKind.heading1);
  const names = [title, heading ? text.slice(heading.start, heading.end) : ''].map(foldName);
  if (names.every((name) => name === '')) return 0;
  return crc32([language.split('-', 1)[0], ...names].join('\n'));
}

/** Normalises a title or heading: ignores case, white space and permalink signs. */
function foldName(name: string): string {
  return name.toLowerCase().replace(PERMALINK, ' ').replace(/\s+/g, ' ').trim();
}

/**
 * Returns a hash of the title and, if the content is short, of the content, both without digits. Short texts may have
 * similar simhashes although they differ; then their different keys show that they are different pages.
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

/** Returns the ranges of the text that are not boilerplate. */
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
