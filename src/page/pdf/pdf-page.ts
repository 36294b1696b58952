/**
 * PDF to a `Page`: text with headings told by their size, title, language, dates and links.
 *
 * An own reader, since the libraries render pages and bring megabytes for it (see the decision on
 * reading PDF). It follows what text needs of the standard and nothing else, works while the crawl
 * waits, and like all parsers here takes broken files for what is left of them.
 */
import { AddressResolver } from '../address-resolver.ts';
import { ComposedText } from '../composed-text.ts';
import type { ContentType } from '../content-type.ts';
import { parseDate } from '../dates.ts';
import { fold } from '../folding.ts';
import { MAX_DESCRIPTION, MAX_LINKS, MAX_TEXT, MAX_TITLE } from '../limits.ts';
import { newPage, setDates, setLanguage } from '../new-page.ts';
import { MarkKind, type Page, type Range } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { joined } from '../ranges.ts';
import { ContentReader } from './pdf-content.ts';
import { PdfDocument } from './pdf-document.ts';
import { layOut, type TextBlock } from './pdf-layout.ts';
import { findPages, type PageNode } from './pdf-pages.ts';
import type { Dictionary } from './pdf-values.ts';

/** Titles that programs put there by themselves. */
const NO_TITLE =
  /^(?:untitled.*|microsoft \w+ - .*|document\d*|.*\.(?:docx?|dvi|tex|indd|pptx?|xlsx?|qxd|rtf|pdf|odt))$/i;
const MAX_HEADING = 200;
const DATE = /^D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:Z|([+-]\d{2})'?(\d{2})?'?)?/;

/** Null if it is none, or needs a password. */
export function parsePdf(input: PageInput, { type }: ContentType): Page | null {
  const { buffer, byteOffset, byteLength } = input.body;
  const source = Buffer.from(buffer, byteOffset, byteLength);
  if (!source.subarray(0, 1024).includes('%PDF-')) return null;
  const document = new PdfDocument(source);
  if (document.isLocked) return null;
  const { catalog, pages } = findPages(document);
  const blocks = readBlocks(document, pages);
  const page = newPage(input, type);
  Object.assign(page, textOf(blocks));
  const info = document.dictionaryOf(document.trailer.get('Info'));
  page.title = titleOf(document, info, blocks);
  page.description = fold(textString(document.stringOf(info.get('Subject'))), MAX_DESCRIPTION);
  page.links = linksOf(document, pages, input);
  setLanguage(page, textString(document.stringOf(catalog.get('Lang'))), input);
  const date = (name: string) => dateOf(document.stringOf(info.get(name)));
  setDates(page, date('CreationDate'), date('ModDate'), input);
  return page;
}

function readBlocks(document: PdfDocument, pages: readonly PageNode[]): TextBlock[] {
  let units = 0;
  const reader = new ContentReader(document, () => units > MAX_TEXT);
  return pages.flatMap(({ content, resources }, i) => {
    if (units > MAX_TEXT) return [];
    const blocks = layOut(reader.readPage(content(), resources), i);
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

/** What stands at the edge of three pages or more, numbers apart: the name of the book or chapter. */
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

/** The size of most of the text. */
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

/** What the document calls itself, else what stands largest on its first page. */
function titleOf(document: PdfDocument, info: Dictionary, blocks: readonly TextBlock[]): string {
  const title = fold(textString(document.stringOf(info.get('Title'))), MAX_TITLE);
  if (title !== '' && !NO_TITLE.test(title)) return title;
  const first = blocks.filter(
    ({ page, text }) => page === 0 && text.length >= 3 && text.length <= MAX_HEADING,
  );
  const largest = first.reduce<TextBlock | null>(
    (best, each) => (best && best.size >= each.size ? best : each),
    null,
  );
  return largest ? fold(largest.text, MAX_TITLE) : '';
}

function linksOf(document: PdfDocument, pages: readonly PageNode[], input: PageInput): Page['links'] {
  const resolver = new AddressResolver(input.url);
  const links = new Map<string, Page['links'][number]>();
  for (const { annotations } of pages) {
    for (const annotation of annotations) {
      if (links.size === MAX_LINKS) return [...links.values()];
      const action = document.dictionaryOf(document.dictionaryOf(annotation).get('A'));
      const address = document.stringOf(action.get('URI')).split('#', 1)[0]!;
      const url = address === '' ? null : resolver.resolve(address);
      if (url) links.set(url, { url, text: '', nofollow: false });
    }
  }
  return [...links.values()];
}

/** Strings that are text: UTF-16 or UTF-8 with a mark, else nearly Latin-1. */
function textString(raw: string): string {
  const bytes = Buffer.from(raw, 'latin1');
  if (raw.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(bytes);
  if (raw.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(bytes);
  return raw.startsWith('\xef\xbb\xbf')
    ? bytes.toString('utf8')
    : new TextDecoder('windows-1252').decode(bytes);
}

/** `D:20240501103000+02'00'` */
function dateOf(raw: string): number | null {
  const match = DATE.exec(textString(raw));
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
