/** Converts plain text to a `Page`. Lines of a paragraph are joined; an empty line ends it. */
import type { WorkBudget } from '../../base/mod.ts';
import type { ContentType } from '../content-type.ts';
import { MAX_TEXT } from '../limits.ts';
import { newPage, setDates, setLanguage } from '../new-page.ts';
import type { Page } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { Separator, TextBuilder, toUtf8 } from '../text/mod.ts';

const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Converts plain text to a page. Returns null if the bytes are not text, because servers also send unknown
 * files as `text/plain`.
 */
export function parsePlainText(
  input: PageInput,
  { type, charset }: ContentType,
  budget: WorkBudget,
): Page | null {
  const source = toUtf8(input.body, charset);
  if (looksBinary(source)) return null;
  const page: Page = { ...newPage(input, type), ...textOf(source, budget) };
  setLanguage(page, '', input);
  setDates(page, null, null, input);
  return page;
}

function textOf(source: Buffer, budget: WorkBudget): Pick<Page, 'text' | 'marks'> {
  const builder = new TextBuilder(source.length, MAX_TEXT);
  for (let from = 0; from < source.length && !builder.isFull && budget.step(); ) {
    const newline = source.indexOf(NEWLINE, from);
    const to = newline < 0 ? source.length : newline + 1;
    if (isBlank(source, from, to)) builder.separate(Separator.newline);
    builder.appendRaw(source, from, to);
    from = to;
  }
  return builder.finish();
}

function isBlank(source: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (source[at]! > SPACE) return false;
  return true;
}

export function looksBinary(source: Buffer): boolean {
  return source.subarray(0, 1024).some(isNoText);
}

/**
 * Returns true for a control character that does not occur in text. White space, backspace and escape do
 * occur.
 */
function isNoText(byte: number): boolean {
  return byte < SPACE && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b;
}
