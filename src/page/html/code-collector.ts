/**
 * Collects short blocks of code (`<pre>`) with their line breaks and indentation, which the text of a page does not
 * have. A command or an example of a few lines may be the answer to a query; long listings never are.
 */
import type { CodeBlock } from '../page.ts';
import { decodeReferences } from '../text/mod.ts';

const MAX_BLOCKS = 40;
/** The maximum length of a collected block of code, in UTF-16 units. */
const MAX_CODE = 400;
/**
 * The maximum size of the markup of a block of code. In longer markup, the code is too long even if each token
 * has a tag around it, so the markup is not decoded.
 */
const MAX_SOURCE_BYTES = 10_000;

export class CodeCollector {
  readonly blocks: CodeBlock[] = [];
  readonly #source: Buffer;
  #from = -1;
  #start = 0;

  constructor(source: Buffer) {
    this.#source = source;
  }

  /**
   * Begins a block of code. `from` is the position of the byte after the start tag, and `at` the length of the
   * text before the block.
   */
  open(from: number, at: number): void {
    this.#from = from;
    this.#start = at;
  }

  /** Ends a block of code. `to` is the position of its end tag, and `at` the length of the text up to there. */
  close(to: number, at: number): void {
    const from = this.#from;
    this.#from = -1;
    if (from < 0 || at === this.#start || to - from > MAX_SOURCE_BYTES || this.blocks.length === MAX_BLOCKS)
      return;
    const code = withoutTags(this.#source, from, to)
      .replaceAll('\r\n', '\n')
      .replace(/^\n+|\s+$/g, '');
    if (code !== '' && code.length <= MAX_CODE) this.blocks.push({ start: this.#start, end: at, code });
  }
}

function withoutTags(source: Buffer, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; ) {
    const tag = source.indexOf('<', at);
    const end = tag < 0 ? to : Math.min(tag, to);
    text += decodeReferences(source, at, end, false);
    const close = end === to ? to : source.indexOf('>', end);
    at = close < 0 ? to : close + 1;
  }
  return text;
}
