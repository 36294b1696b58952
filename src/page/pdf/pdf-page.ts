/**
 * Converts PDF to a `Page`: text with headings recognised by their size, title, language, dates and links.
 *
 * No library is used, because PDF libraries render pages and have megabytes of code for it (see the decision
 * on reading PDF). This reader implements only the features of the standard that text needs, runs
 * synchronously, and reads as much of a broken file as possible.
 */
import type { WorkBudget } from '../../base/mod.ts';
import type { ContentType } from '../content-type.ts';
import type { DocumentFault } from '../document-fault.ts';
import { AddressResolver } from '../html/mod.ts';
import { MAX_DESCRIPTION, MAX_LINKS, MAX_TEXT, MAX_TITLE } from '../limits.ts';
import { parseDate } from '../metadata/mod.ts';
import { newPage, setDates, setLanguage } from '../new-page.ts';
import { MarkKind, type Page, type Range } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { ComposedText, foldSpace, isProgramTitle, joined } from '../text/mod.ts';
import { ContentReader } from './pdf-content.ts';
import { PdfDocument } from './pdf-document.ts';
import { layOutText, type TextBlock } from './pdf-layout.ts';
import { findPages, type PageNode } from './pdf-pages.ts';

const MAX_HEADING = 200;
const DATE = /^D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:Z|([+-]\d{2})'?(\d{2})?'?)?/;

/** Converts a PDF file to a page. Returns null if the body is not a PDF. */
export function parsePdf(
  input: PageInput,
  { type }: ContentType,
  budget: WorkBudget,
): Page | DocumentFault | null {
  const { buffer, byteOffset, byteLength } = input.body;
  const source = Buffer.from(buffer, byteOffset, byteLength);
  if (!source.subarray(0, 1024).includes('%PDF-')) return null;
  const document = new PdfDocument(source, budget);
  if (document.isLocked) return 'encrypted';
  const { catalog, pages } = findPages(document);
  const page = newPage(input, type);
  const info = document.dictionaryOf(document.trailer.get('Info'));
  const field = (name: string) => textString(document.stringOf(info.get(name)));
  const title = foldSpace(field('Title'), MAX_TITLE);
  const language = textString(document.stringOf(catalog.get('Lang')));
  page.description = foldSpace(field('Subject'), MAX_DESCRIPTION);
  const dates = [dateOf(field('CreationDate')), dateOf(field('ModDate'))] as const;
  page.links = linksOf(document, pages, input);
  // The content is read last. If it spends the budget, title, dates and links have already been read.
  const blocks = readBlocks(document, pages);
  Object.assign(page, textOf(blocks));
  page.title = title !== '' && !isProgramTitle(title) ? title : largestLine(blocks);
  setLanguage(page, language, input);
  setDates(page, ...dates, input);
  return page;
}

function readBlocks(document: PdfDocument, pages: readonly PageNode[]): TextBlock[] {
  let units = 0;
  const reader = new ContentReader(document, () => units > MAX_TEXT);
  return pages.flatMap(({ content, resources }, i) => {
    if (units > MAX_TEXT) return [];
    const blocks = layOutText(reader.readPage(content(), resources), i);
    units += blocks.reduce((sum, { text }) => sum + text.length, 0);
    return blocks;
  });
}

function textOf(blocks: readonly TextBlock[]): Pick<Page, 'text' | 'marks' | 'boilerplate'> {
  const body = bodySize(blocks);
  const running = runningBlocks(blocks);
  const text = new ComposedText(MAX_TEXT);
  const boilerplate: Range[] = [];
  for (const block of blocks) {
    const isRunning = running.has(block);
    const range = text.addBlock(block.text, isRunning ? 0 : kindOf(block, body));
    if (range && isRunning) boilerplate.push(range);
  }
  return { ...text.finish(), ...(boilerplate.length > 0 && { boilerplate: joined(boilerplate) }) };
}

/**
 * Finds running headers and footers: blocks at the top or bottom of three or more pages that are equal apart
 * from numbers.
 */
function runningBlocks(blocks: readonly TextBlock[]): Set<TextBlock> {
  const byText = new Map<string, TextBlock[]>();
  for (const [i, block] of blocks.entries()) {
    const isAtEdge = [-2, 2].some((step) => blocks[i + step]?.page !== block.page);
    const words = block.text.replace(/\d+|\b[ivxlc]+\b/g, '').trim();
    if (!isAtEdge || block.text.length > MAX_HEADING) continue;
    const same = byText.get(words) ?? [];
    same.push(block);
    byText.set(words, same);
  }
  const repeated = [...byText.values()].filter((same) => new Set(same.map(({ page }) => page)).size >= 3);
  return new Set(repeated.flat());
}

/** Returns the font size of most of the text. */
function bodySize(blocks: readonly TextBlock[]): number {
  const units = new Map<number, number>();
  for (const { size, text } of blocks) {
    const rounded = Math.round(size * 2) / 2;
    units.set(rounded, (units.get(rounded) ?? 0) + text.length);
  }
  return [...units].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

function kindOf({ size, isBold, text }: TextBlock, body: number): MarkKind | 0 {
  if (text.length > MAX_HEADING || !/\p{L}/u.test(text)) return isBold ? MarkKind.emphasis : 0;
  if (size >= 1.6 * body) return MarkKind.heading1;
  if (size >= 1.25 * body) return MarkKind.heading2;
  if (isBold && size >= 0.95 * body) return MarkKind.heading3;
  return isBold ? MarkKind.emphasis : 0;
}

/** Returns the largest text on the first page, as a title for documents without one. */
function largestLine(blocks: readonly TextBlock[]): string {
  const first = blocks.filter(
    ({ page, text }) => page === 0 && text.length >= 3 && text.length <= MAX_HEADING,
  );
  const largest = first.reduce<TextBlock | null>(
    (best, each) => (best && best.size >= each.size ? best : each),
    null,
  );
  return largest ? foldSpace(largest.text, MAX_TITLE) : '';
}

function linksOf(document: PdfDocument, pages: readonly PageNode[], input: PageInput): Page['links'] {
  const resolver = new AddressResolver(input.url);
  const links = new Map<string, Page['links'][number]>();
  for (const { annotations } of pages) {
    for (const annotation of annotations) {
      if (links.size === MAX_LINKS || !document.budget.step()) return [...links.values()];
      const action = document.dictionaryOf(document.dictionaryOf(annotation).get('A'));
      const address = document.stringOf(action.get('URI')).split('#', 1)[0]!;
      const url = address === '' ? null : resolver.resolve(address);
      if (url) links.set(url, { url, text: '', nofollow: false });
    }
  }
  return [...links.values()];
}

/** Decodes a PDF text string: UTF-16 or UTF-8 if it has a byte order mark, otherwise windows-1252. */
function textString(raw: string): string {
  const bytes = Buffer.from(raw, 'latin1');
  if (raw.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(bytes);
  if (raw.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(bytes);
  return raw.startsWith('\xef\xbb\xbf')
    ? bytes.toString('utf8')
    : new TextDecoder('windows-1252').decode(bytes);
}

/** Parses a PDF date such as `D:20240501103000+02'00'`. */
function dateOf(text: string): number | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    zone,
    zoneMinute = '00',
  ] = match;
  const offset = zone === undefined ? 'Z' : `${zone}:${zoneMinute}`;
  return parseDate(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
}
