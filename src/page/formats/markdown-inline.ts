/**
 * Converts the content of a Markdown paragraph to HTML: code, links, images, emphasis and escapes. HTML in
 * the paragraph is kept unchanged.
 *
 * The scan goes from one special character to the next and pays one step of the budget for each. Text that
 * begins like a link is matched by a regular expression that cannot backtrack, so that any text takes linear
 * time. Stars and underscores alternately open and close emphasis; emphasis still open ends with the
 * paragraph.
 */
import type { WorkBudget } from '../../base/mod.ts';

/** The targets of reference links by their label: `[label]: https://example.org/`. */
export type References = ReadonlyMap<string, string>;

const SPECIAL = /\\|`+|!?\[|\*+|_+|<(?=[A-Za-z/!])|\bhttps?:\/\//g;
const TARGET = String.raw`\(\s{0,9}<?([^\s<>()]{0,2000}(?:\([^\s<>()]{0,500}\)[^\s<>()]{0,500})?)>?(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'))?\s{0,9}\)`;
const IMAGE = String.raw`!\[[^[\]]{0,500}\](?:\([^()\s]{0,2000}\)|\[[^[\]]{0,200}\])?`;
/**
 * Matches a Markdown link. The lookahead matches an image inside the link as a whole. If the expression could
 * also match that image without its target, it would take exponential time.
 */
const LINK = new RegExp(
  String.raw`(!?)\[((?:[^[\]\\!]|\\.|!(?!\[)|(?=(${IMAGE}))\3){0,1000})\](?:${TARGET}|\[([^[\]]{0,200})\])?`,
  'sy',
);
const ADDRESS = /https?:\/\/[^\s<>()[\]"'`*]{1,2000}/y;
const TAG = /<(?!https?:)[A-Za-z/!][^<>]{0,5000}>/y;
/** Punctuation at the end of a bare URL. It belongs to the sentence, not to the URL. */
const AFTER_ADDRESS = '.,;:!?';
const WORD = /[\p{L}\p{N}]/u;

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Normalises the label of a reference link for comparison. */
export function labelOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ');
}

export function inlineHtml(text: string, references: References, budget: WorkBudget): string {
  return new InlineWriter(text, references, budget).write();
}

class InlineWriter {
  readonly #text: string;
  readonly #references: References;
  readonly #budget: WorkBudget;
  readonly #parts: string[] = [];
  /**
   * The start offsets of runs of backticks, grouped by the length of the run, in descending order. Runs
   * before the current position are removed.
   */
  #runs: Map<number, number[]> | null = null;
  #isStrong = false;
  #isEmphasized = false;

  constructor(text: string, references: References, budget: WorkBudget) {
    this.#text = text;
    this.#references = references;
    this.#budget = budget;
  }

  write(): string {
    const special = new RegExp(SPECIAL);
    let at = 0;
    for (
      let match = special.exec(this.#text);
      match && this.#budget.step();
      match = special.exec(this.#text)
    ) {
      this.#parts.push(this.#text.slice(at, match.index));
      at = this.#writeSpecial(match[0], match.index);
      special.lastIndex = at;
    }
    this.#parts.push(this.#text.slice(at));
    if (this.#isStrong) this.#parts.push('</strong>');
    if (this.#isEmphasized) this.#parts.push('</em>');
    return this.#parts.join('');
  }

  /**
   * Converts the special characters `found` at offset `at`, and returns the offset after the converted text.
   */
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
    const end = this.#closingRun(from, length);
    if (end < 0) {
      this.#parts.push(this.#text.slice(at, from));
      return from;
    }
    this.#parts.push('<code>', escapeHtml(this.#text.slice(from, end)), '</code>');
    return end + length;
  }

  /** Returns the start of the next run of exactly `length` backticks; -1 if there is none. */
  #closingRun(from: number, length: number): number {
    this.#runs ??= runsOf(this.#text);
    const starts = this.#runs.get(length);
    while (starts && starts.length > 0 && starts.at(-1)! < from) starts.pop();
    return starts?.at(-1) ?? -1;
  }

  /**
   * Writes a run of stars or underscores. A run between two spaces is literal text, and so is an underscore inside
   * a word.
   */
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
    const target = match && (match[4] ?? this.#references.get(labelOf(match[5] || match[2]!)));
    if (!match || target === undefined || target === null) {
      this.#parts.push(found);
      return at + found.length;
    }
    if (match[1] === '!') this.#parts.push(`<img alt="${escapeHtml(match[2]!)}">`);
    else {
      const content = new InlineWriter(match[2]!, this.#references, this.#budget).write();
      this.#parts.push(`<a href="${escapeHtml(target)}">${content}</a>`);
    }
    return at + match[0].length;
  }

  /** Copies an HTML tag unchanged, including text in its attributes that looks like Markdown. */
  #writeTag(at: number): number {
    TAG.lastIndex = at;
    const tag = TAG.exec(this.#text)?.[0] ?? '';
    if (tag === '' && this.#text.startsWith('http', at + 1)) return this.#writeAddress(at + 1, 1);
    this.#parts.push(tag || '<');
    return at + (tag.length || 1);
  }

  /**
   * Writes a link for a bare URL. `brackets` is the number of angle brackets on each side of the URL: 0 or 1.
   */
  #writeAddress(at: number, brackets: number): number {
    ADDRESS.lastIndex = at;
    const address = withoutPunctuation(ADDRESS.exec(this.#text)?.[0] ?? '');
    if (!address) {
      this.#parts.push(this.#text.slice(at - brackets, at + 4));
      return at + 4;
    }
    this.#parts.push(`<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`);
    return at + address.length + brackets;
  }
}

function withoutPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && AFTER_ADDRESS.includes(address[end - 1]!)) end--;
  return address.slice(0, end);
}

/**
 * Finds all runs of backticks in a text. Returns their start offsets in descending order, grouped by the
 * length of the run.
 */
function runsOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const starts = runs.get(run.length);
    if (starts) starts.push(index);
    else runs.set(run.length, [index]);
  }
  for (const starts of runs.values()) starts.reverse();
  return runs;
}
