/**
 * What is inside a paragraph of Markdown: code, links, images, emphasis, escapes. HTML stays as it is.
 *
 * Goes from one special character to the next. What begins like a link is matched by an expression
 * that stops at the next bracket, so that any text takes linear time. Stars and underscores open
 * emphasis and close it by turns, and what was left open ends with the paragraph.
 */

/** Addresses of links by their label. */
export type References = ReadonlyMap<string, string>;

const SPECIAL = /\\|`+|!?\[|\*+|_+|<(?=[A-Za-z/!])|\bhttps?:\/\//g;
const TARGET = String.raw`\(\s{0,9}<?([^\s<>()]{0,2000}(?:\([^\s<>()]{0,500}\)[^\s<>()]{0,500})?)>?(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'))?\s{0,9}\)`;
const IMAGE = String.raw`!\[[^[\]]{0,500}\](?:\([^()\s]{0,2000}\)|\[[^[\]]{0,200}\])?`;
const LINK = new RegExp(
  String.raw`(!?)\[((?:[^[\]\\!]|\\.|!(?!\[)|${IMAGE}){0,1000})\](?:${TARGET}|\[([^[\]]{0,200})\])?`,
  'sy',
);
const ADDRESS = /https?:\/\/[^\s<>()[\]"'`*]{1,2000}/y;
const TAG = /<(?!https?:)[A-Za-z/!][^<>]{0,5000}>/y;
const AFTER_ADDRESS = /[.,;:!?]+$/;
const WORD = /[\p{L}\p{N}]/u;

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** How labels are compared. */
export function labelOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ');
}

export function inlineHtml(text: string, references: References): string {
  return new InlineWriter(text, references).write();
}

class InlineWriter {
  readonly #text: string;
  readonly #references: References;
  readonly #parts: string[] = [];
  /** Lengths of runs of backticks that nothing closes any more. */
  readonly #unclosed = new Set<number>();
  #isStrong = false;
  #isEmphasized = false;

  constructor(text: string, references: References) {
    this.#text = text;
    this.#references = references;
  }

  write(): string {
    const special = new RegExp(SPECIAL);
    let at = 0;
    for (let match = special.exec(this.#text); match; match = special.exec(this.#text)) {
      this.#parts.push(this.#text.slice(at, match.index));
      at = this.#writeSpecial(match[0], match.index);
      special.lastIndex = at;
    }
    this.#parts.push(this.#text.slice(at));
    if (this.#isStrong) this.#parts.push('</strong>');
    if (this.#isEmphasized) this.#parts.push('</em>');
    return this.#parts.join('');
  }

  /** Returns where to go on. */
  #writeSpecial(found: string, at: number): number {
    switch (found[0]) {
      case '\\':
        this.#parts.push(escapeHtml(this.#text[at + 1] ?? '\\'));
        return at + 2;
      case '`':
        return this.#writeCode(found.length, at);
      case '*':
      case '_':
        return this.#writeEmphasis(found, at);
      case '<':
        return this.#writeTag(at);
      case 'h':
        return this.#writeAddress(at, 0);
      default:
        return this.#writeLink(found, at);
    }
  }

  #writeCode(length: number, at: number): number {
    const from = at + length;
    const end = this.#unclosed.has(length) ? -1 : closingRun(this.#text, from, length);
    if (end < 0) {
      this.#unclosed.add(length);
      this.#parts.push(this.#text.slice(at, from));
      return from;
    }
    this.#parts.push('<code>', escapeHtml(this.#text.slice(from, end)), '</code>');
    return end + length;
  }

  /** A run between two spaces means itself, and so does an underscore inside a word. */
  #writeEmphasis(run: string, at: number): number {
    const end = at + run.length;
    const before = this.#text[at - 1] ?? ' ';
    const after = this.#text[end] ?? ' ';
    const isInWord = run[0] === '_' && WORD.test(before) && WORD.test(after);
    if (isInWord || (/\s/.test(before) && /\s/.test(after)) || run.length > 3) {
      this.#parts.push(run);
      return end;
    }
    if (run.length > 1) {
      this.#isStrong = !this.#isStrong;
      this.#parts.push(this.#isStrong ? '<strong>' : '</strong>');
    }
    if (run.length !== 2) {
      this.#isEmphasized = !this.#isEmphasized;
      this.#parts.push(this.#isEmphasized ? '<em>' : '</em>');
    }
    return end;
  }

  #writeLink(found: string, at: number): number {
    LINK.lastIndex = at;
    const match = LINK.exec(this.#text);
    const target = match && (match[3] ?? this.#references.get(labelOf(match[4] || match[2]!)));
    if (!match || target === undefined || target === null) {
      this.#parts.push(found);
      return at + found.length;
    }
    if (match[1] === '!') this.#parts.push(`<img alt="${escapeHtml(match[2]!)}">`);
    else {
      const content = new InlineWriter(match[2]!, this.#references).write();
      this.#parts.push(`<a href="${escapeHtml(target)}">${content}</a>`);
    }
    return at + match[0].length;
  }

  /** HTML stays as it is, also what looks like Markdown in its attributes. */
  #writeTag(at: number): number {
    TAG.lastIndex = at;
    const tag = TAG.exec(this.#text)?.[0] ?? '';
    if (tag === '' && this.#text.startsWith('http', at + 1)) return this.#writeAddress(at + 1, 1);
    this.#parts.push(tag || '<');
    return at + (tag.length || 1);
  }

  /** `brackets` of them are around it, before and after. */
  #writeAddress(at: number, brackets: number): number {
    ADDRESS.lastIndex = at;
    const address = ADDRESS.exec(this.#text)?.[0].replace(AFTER_ADDRESS, '');
    if (!address) {
      this.#parts.push(this.#text.slice(at - brackets, at + 4));
      return at + 4;
    }
    this.#parts.push(`<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`);
    return at + address.length + brackets;
  }
}

/** Where the next run of exactly so many backticks begins; -1 if there is none. */
function closingRun(text: string, from: number, length: number): number {
  for (let at = text.indexOf('`', from); at >= 0; ) {
    let end = at;
    while (text[end] === '`') end++;
    if (end - at === length) return at;
    at = text.indexOf('`', end);
  }
  return -1;
}
