/**
 * Reads the infobox of an encyclopedia article: the table beside its text (`<table class="infobox …">`, as
 * MediaWiki and its followers write it) whose rows have a property and its value. It is read only for answer
 * boxes. The text of the page has the same words, but does not show which value belongs to which property.
 */
import type { WorkBudget } from '../../base/mod.ts';
import { parseContentType } from '../content-type.ts';
import { documentBudget } from '../limits.ts';
import type { PageInput } from '../page-input.ts';
import { declaredCharset, decodeReferences, toUtf8 } from '../text/mod.ts';
import {
  AttributeScanner,
  afterBogusComment,
  afterDeclaration,
  endTagAt,
  isLetter,
  nameEnd,
  scriptEndAt,
} from './html-tokens.ts';

export interface InfoboxRow {
  name: string;
  value: string;
}

const MAX_BYTES = 128 * 1024;
const MAX_ROWS = 40;
const MAX_NAME = 60;
const MAX_VALUE = 160;

const LESS_THAN = 0x3c;
const SLASH = 0x2f;
const BANG = 0x21;

/** Elements that separate the values of a property. They become commas. */
const BREAKS = new Set(['br', 'li', 'p', 'div', 'dd', 'tr', 'td']);

/** Returns the rows of the infobox of a page; an empty list if it has none. */
export function readInfobox({ body, contentType }: PageInput): InfoboxRow[] {
  const source = toUtf8(body, parseContentType(contentType).charset, declaredCharset);
  const budget = documentBudget(source.length);
  const from = source.includes('infobox') ? infoboxAt(source, budget) : -1;
  return from < 0 ? [] : new InfoboxReader(source.subarray(from, from + MAX_BYTES), budget).read();
}

/** Returns the position after the start tag of the infobox; -1 if there is none. */
function infoboxAt(source: Buffer, budget: WorkBudget): number {
  const attributes = new AttributeScanner();
  for (let at = source.indexOf('<table'); at >= 0 && budget.step(); ) {
    const after = attributes.scan(source, at + '<table'.length);
    if (after < 0) return -1;
    if (/(?:^|\s)infobox/.test(attributes.get('class') ?? '')) return after;
    at = source.indexOf('<table', after);
  }
  return -1;
}

class InfoboxReader {
  readonly #source: Buffer;
  readonly #attributes = new AttributeScanner();
  readonly #rows: InfoboxRow[] = [];
  readonly #budget: WorkBudget;
  /** The number of open tables. Inner tables belong to the cell that contains them. */
  #depth = 1;
  #cell: 'th' | 'td' | null = null;
  #name = '';
  #value = '';

  constructor(source: Buffer, budget: WorkBudget) {
    this.#source = source;
    this.#budget = budget;
  }

  read(): InfoboxRow[] {
    const source = this.#source;
    const isDone = () => this.#depth === 0 || this.#rows.length === MAX_ROWS || !this.#budget.step();
    for (let at = 0; at < source.length && !isDone(); ) {
      const next = source.indexOf(LESS_THAN, at);
      const textEnd = next < 0 ? source.length : next;
      this.#add(decodeReferences(source, at, textEnd, false));
      at = next < 0 ? source.length : this.#tagAt(next);
    }
    this.#endRow();
    return this.#rows;
  }

  /** Handles the tag at `at`, and returns the position after it. */
  #tagAt(at: number): number {
    const source = this.#source;
    const second = source[at + 1] ?? 0;
    if (second === BANG) return afterDeclaration(source, at);
    const isEnd = second === SLASH;
    const from = isEnd ? at + 2 : at + 1;
    if (!isLetter(source[from] ?? 0)) return afterBogusComment(source, at);
    const end = nameEnd(source, from);
    const name = source.toString('latin1', from, end).toLowerCase();
    const after = this.#attributes.scan(source, end);
    if (after < 0) return source.length;
    if (isEnd) this.#close(name);
    else if (this.#isLeftOut(name)) return this.#afterElement(name, after);
    else this.#open(name);
    return after;
  }

  #open(name: string): void {
    if (name === 'table') this.#depth++;
    if (this.#depth === 1 && name === 'tr') this.#endRow();
    if (this.#depth === 1 && (name === 'th' || name === 'td')) this.#cell = name;
    else if (BREAKS.has(name)) this.#add('\n');
  }

  #close(name: string): void {
    if (name === 'table') this.#depth--;
    else if (this.#depth === 1 && name === 'tr') this.#endRow();
    else if (this.#depth === 1 && name === this.#cell) this.#cell = null;
    else if (BREAKS.has(name)) this.#add('\n');
  }

  /**
   * Returns true for elements whose text is left out: footnote marks, hidden elements, styles and scripts.
   */
  #isLeftOut(name: string): boolean {
    if (name === 'style' || name === 'script') return true;
    if (name === 'sup') return /\breference\b/.test(this.#attributes.get('class') ?? '');
    return name === 'span' && /display:\s*none/i.test(this.#attributes.get('style') ?? '');
  }

  #afterElement(name: string, from: number): number {
    const end = name === 'script' ? scriptEndAt(this.#source, from) : endTagAt(this.#source, name, from);
    return end >= this.#source.length ? end : afterBogusComment(this.#source, end);
  }

  #add(text: string): void {
    if (this.#cell === 'th') this.#name += text;
    else if (this.#cell === 'td') this.#value += text;
  }

  #endRow(): void {
    const name = piecesOf(this.#name).join(' ').replace(/\s*:$/, '');
    const value = piecesOf(this.#value).join(', ').replaceAll(', (', ' (');
    const fits = name !== '' && name.length <= MAX_NAME && value !== '';
    if (fits) this.#rows.push({ name, value: cut(value) });
    this.#cell = null;
    this.#name = '';
    this.#value = '';
  }
}

function piecesOf(text: string): string[] {
  return text
    .split('\n')
    .map((piece) => piece.replace(/\s+/g, ' ').trim())
    .filter((piece) => piece !== '');
}

function cut(value: string): string {
  return value.length <= MAX_VALUE
    ? value
    : `${value
        .slice(0, MAX_VALUE - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
