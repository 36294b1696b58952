/**
 * Markdown to a `Page`, by way of HTML: blocks here, what is inside them in `markdown-inline.ts`.
 *
 * Not a renderer. What is wanted is the words, headings, emphasis and links as CommonMark would have
 * them on the documents that people write; how deep a list is nested is of no interest. Every
 * line is looked at once and nothing backtracks, which cannot be said of the complete parsers: a
 * megabyte of brackets takes the best of them seconds.
 */
import { toUtf8 } from './charset.ts';
import type { ContentType } from './content-type.ts';
import { pageOfHtml } from './html-page.ts';
import { MAX_TITLE } from './limits.ts';
import { escapeHtml, inlineHtml, labelOf, type References } from './markdown-inline.ts';
import { headingLevel, type Page } from './page.ts';
import type { PageInput } from './page-input.ts';
import { looksBinary } from './plain-text.ts';

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*<?([^\s<>]{1,2000})>?/;
const FENCE = /^\s{0,12}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(?:(=+)|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const QUOTE = /^(?: {0,3}>)+ ?/;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$/;
const CODE = /^(?: {4}|\t)/;

/** Null if the bytes are not text. */
export function parseMarkdown(input: PageInput, { type, charset }: ContentType): Page | null {
  const bytes = toUtf8(input.body, charset);
  if (looksBinary(bytes)) return null;
  const page = pageOfHtml(Buffer.from(markdownToHtml(bytes.toString())), input, type, false);
  page.title ||= firstHeading(page);
  return page;
}

export function markdownToHtml(markdown: string): string {
  const matter = FRONT_MATTER.exec(markdown);
  const lines = markdown.slice(matter?.[0].length ?? 0).split(/\r\n?|\n/);
  const writer = new BlockWriter(referencesOf(lines));
  for (const line of lines) writer.add(line);
  return headOf(matter?.[1] ?? '') + writer.finish();
}

function firstHeading({ text, marks }: Page): string {
  const heading = marks.find(({ kind }) => headingLevel(kind) > 0);
  return heading ? text.slice(heading.start, Math.min(heading.end, heading.start + MAX_TITLE)).trim() : '';
}

/** Of front matter only the simple fields are read: `title: Some words`. */
function headOf(matter: string): string {
  const fields = new Map<string, string>();
  for (const line of matter.split(/\r?\n/)) {
    const match = /^(title|description|date|lang|language):[ \t]*(.*)$/.exec(line);
    if (match) fields.set(match[1]!, match[2]!.trim().replace(/^(["'])(.*)\1$/, '$2'));
  }
  const value = (name: string) => escapeHtml(fields.get(name) ?? '');
  const meta = (name: string) => `<meta name="${name}" content="${value(name)}">`;
  const language = value('lang') || value('language');
  return `<html lang="${language}"><title>${value('title')}</title>${meta('description')}${meta('date')}`;
}

function referencesOf(lines: readonly string[]): References {
  const references = new Map<string, string>();
  for (const line of lines) {
    const match = DEFINITION.exec(line);
    if (match && !references.has(labelOf(match[1]!))) references.set(labelOf(match[1]!), match[2]!);
  }
  return references;
}

/** Gathers lines into paragraphs and writes each when it ends. */
class BlockWriter {
  readonly #references: References;
  readonly #html: string[] = [];
  #paragraph: string[] = [];
  /** What closes the code block that is open, or null. */
  #fence: string | null = null;
  #isInList = false;

  constructor(references: References) {
    this.#references = references;
  }

  add(line: string): void {
    if (this.#fence !== null) this.#addCode(line);
    else if (FENCE.test(line)) this.#openFence(FENCE.exec(line)![1]!);
    else this.#addText(line.replace(QUOTE, ''));
  }

  finish(): string {
    this.#endParagraph();
    return this.#html.join('\n');
  }

  #openFence(fence: string): void {
    this.#endParagraph();
    this.#fence = fence;
    this.#html.push('<pre>');
  }

  #addCode(line: string): void {
    const isEnd = FENCE.exec(line)?.[1]?.startsWith(this.#fence!) ?? false;
    this.#html.push(isEnd ? '</pre>' : escapeHtml(line));
    if (isEnd) this.#fence = null;
  }

  #addText(line: string): void {
    const heading = HEADING.exec(line);
    const underline = this.#paragraph.length > 0 ? UNDERLINE.exec(line) : null;
    if (line.trim() === '') this.#endParagraph();
    else if (heading) this.#addHeading(heading[1]!.length, withoutClosing(line.slice(heading[0].length)));
    else if (underline) this.#underline(underline[1] ? 1 : 2);
    else if (RULE.test(line) || DEFINITION.test(line)) this.#endParagraph();
    else if (ITEM.test(line)) this.#addItem(line);
    else if (line.trimStart().startsWith('|')) this.#addRow(line);
    else this.#addLine(line);
  }

  /** Indented lines are code, unless they belong to an item of a list. */
  #addLine(line: string): void {
    const isIndented = CODE.test(line);
    const isFirst = this.#paragraph.length === 0;
    if (isFirst && !isIndented) this.#isInList = false;
    if (isFirst && isIndented && !this.#isInList) this.#html.push(`<pre>${escapeHtml(line)}</pre>`);
    else this.#paragraph.push(line.trim());
  }

  #addItem(line: string): void {
    this.#endParagraph();
    this.#isInList = true;
    this.#html.push('<li>');
    this.#paragraph.push(line.replace(ITEM, ''));
  }

  #addRow(line: string): void {
    this.#endParagraph();
    if (TABLE_RULE.test(line)) return;
    for (const cell of line.split('|')) this.#html.push('<div>', this.#inline(cell.trim()), '</div>');
  }

  #addHeading(level: number, text: string): void {
    this.#endParagraph();
    this.#html.push(`<h${level}>${this.#inline(text)}</h${level}>`);
  }

  /** The line below the last of a paragraph makes a heading of it. */
  #underline(level: number): void {
    const text = this.#paragraph.join(' ');
    this.#paragraph = [];
    this.#addHeading(level, text);
  }

  #endParagraph(): void {
    if (this.#paragraph.length > 0) this.#html.push('<p>', this.#inline(this.#paragraph.join('\n')), '</p>');
    this.#paragraph = [];
  }

  #inline(text: string): string {
    return inlineHtml(text, this.#references);
  }
}

/** `Heading ##` may end as it began. */
function withoutClosing(heading: string): string {
  return heading.replace(/[ \t]#+[ \t]*$/, '');
}
