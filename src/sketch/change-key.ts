/**
 * The change key of a page is a hash of its title and content, without the parts that differ at every visit. A revisit
 * compares it with the key of the visit before.
 *
 *   left out   boilerplate, such as menus and advertisements; dates, times and ages; counts of views and the like
 *   counts     all other words and numbers, such as prices
 *
 * Only the text around digits is searched for dates, so prose costs little more than its checksum.
 */
import { crc32 } from 'node:zlib';
import type { Page } from '../page/mod.ts';
import { contentOf, type PageText } from './content-ranges.ts';
import { passingPhrases } from './passing-phrases.ts';

/** The text that is searched before and after each digit, in UTF-16 units. No phrase is longer. */
const AROUND = 40;

export function changeKey(page: PageText & Pick<Page, 'title' | 'language'>): number {
  const text = `${page.title}\n${contentOf(page)}`;
  return crc32(withoutPhrases(text, page.language));
}

function withoutPhrases(text: string, language: string): string {
  const digit = /\d/g;
  let lasting = '';
  let copied = 0;
  for (let found = digit.exec(text); found; found = digit.exec(text)) {
    const start = Math.max(copied, found.index - AROUND);
    let end = found.index + AROUND;
    for (let at = found.index + 1; at < end && at < text.length; at++)
      if (isDigit(text, at)) end = at + AROUND;
    lasting += text.slice(copied, start) + text.slice(start, end).replace(passingPhrases(language), '');
    copied = end;
    digit.lastIndex = end;
  }
  return lasting + text.slice(copied);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
