/**
 * Converts Markdown to HTML, and then to a `Page`. This file handles blocks; `markdown-inline.ts` handles the
 * text inside them.
 *
 * This is not a renderer. It extracts the words, headings, emphasis and links as CommonMark would for typical
 * documents; the nesting depth of lists does not matter. Every line is read once and nothing backtracks.
 * Complete parsers do not guarantee this: a megabyte of brackets takes the best of them seconds.
 */
import type { WorkBudget } from '../../base/mod.ts';
import type { ContentType } from '../content-type.ts';
import { pageOfHtml } from '../html/mod.ts';
import { documentBudget, MAX_TITLE } from '../limits.ts';
import { headingLevel, type Page } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { toUtf8 } from '../text/mod.ts';
import { escapeHtml, inlineHtml, labelOf, type References } from './markdown-inline.ts';
import { looksBinary } from './plain-text.ts';

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*<?([^\s<>]{1,2000})>?/;
const FENCE = /^\s{0,12}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(?:(=+)|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const QUOTE = /^(?: {0,3}>)+ ?/;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*(?:[:-]+[ \t]*)?)*$/;
/** The number of UTF-16 units of a line that cost one step of the work budget. */
const UNITS_A_STEP = 32;
const CODE = /^(?: {4}|\t)/;

/** Converts a Markdown file to a page. Returns null if the bytes are not text. */
export function parseMarkdown(
  input: PageInput,
  { type, charset }: ContentType,
  budget: WorkBudget,
): Page | null {
  const bytes = toUtf8(input.body, charset);
  if (looksBinary(bytes)) return null;
  const html = Buffer.from(markdownToHtml(bytes.toString(), budget));
  // Parses the resulting HTML even if the conversion has spent the whole budget.
  const left = budget.isSpent ? documentBudget(html.length) : budget;
  const page = pageOfHtml(html, input, type, false, left);
  page.title ||= firstHeading(page);
  return page;
}

function markdownToHtml(markdown: string, budget: WorkBudget): string {
  const matter = FRONT_MATTER.exec(markdown);
  const lines = markdown.slice(matter?.[0].length ?? 0).split(/\r\n?|\n/);
  const writer = new BlockWriter(referencesOf(lines), budget);
  for (const line of lines) {
    if (!budget.step(1 + line.length / UNITS_A_STEP)) break;
    writer.add(line);
  }
  return headOf(matter?.[1] ?? '') + writer.finish();
}

function firstHeading({ text, marks }: Page): string {
  const heading = marks.find(({ kind }) => headingLevel(kind) > 0);
  return heading ? text.slice(heading.start, Math.min(heading.end, heading.start + MAX_TITLE)).trim() : '';
}

/**
 * Returns title, description, date and language of front matter as the head of an HTML page. Reads only
 * simple fields such as `title: Some words`.
 */
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

/** Collects the lines of a Markdown paragraph and writes it as HTML when it ends. */
class BlockWriter {
  readonly #references: References;
  readonly #budget: WorkBudget;
  readonly #html: string[] = [];
  #paragraph: string[] = [];
  /** The line that closes the open code block; null if no code block is open. */
  #fence: string | null = null;
  #isInList = false;

  constructor(references: References, budget: WorkBudget) {
    this.#references = references;
    this.#budget = budget;
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

  /** Adds a line of text. Indented lines are code unless they belong to a list item. */
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

  /** Handles a line of `===` or `---`, which makes the paragraph before it a heading. */
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
    return inlineHtml(text, this.#references, this.#budget);
  }
}

/** Removes the trailing `##` of a heading such as `## Heading ##`. */
function withoutClosing(heading: string): string {
  return heading.replace(/[ \t]#+[ \t]*$/, '');
}
