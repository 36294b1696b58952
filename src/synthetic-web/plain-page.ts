/**
 * Renders a plain page. It has a head with one of eight themes (style and script, as on real pages), its
 * title, a sentence with its unique word, paragraphs with a link at the end of each until the page has its
 * size, and the remaining links as a list.
 *
 * Sizes are log-normal around the median with sigma 0.7: one page in a hundred is five times as large. The
 * visible text is headings, sentences and anchor texts; nothing else is shown.
 */
import { Random } from '../base/mod.ts';
import { HtmlBuffer } from './html-buffer.ts';
import { LEXICON_SIZE, wordOfRank } from './lexicon.ts';
import type { PlainWeb } from './plain-web.ts';
import type { Prose } from './prose.ts';
import { mix, Purpose } from './seeded.ts';
import { urlOf } from './site.ts';

const SIGMA = 0.7;
const THEMES = 8;
const THEME_SHARE = 0.2;
const HALF_PASSAGE_BYTES = 250;
/** Extra space in the buffer of a page, usually enough for the last passage and the remaining links. */
const SPARE_BYTES = 3000;

export class PlainRenderer {
  readonly #web: PlainWeb;
  readonly #prose: Prose;
  readonly #medianBytes: number;
  readonly #themes: Buffer[];

  constructor(web: PlainWeb, prose: Prose, medianBytes: number) {
    this.#web = web;
    this.#prose = prose;
    this.#medianBytes = medianBytes;
    this.#themes = Array.from({ length: THEMES }, (_, number) =>
      theme(new Random(mix(prose.seed, number, Purpose.theme)), medianBytes * THEME_SHARE),
    );
  }

  /** Returns the target size of a page. The page becomes larger than this only if its links need more space. */
  sizeOf(page: number): number {
    const random = new Random(mix(this.#prose.seed, page, Purpose.size));
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    return Math.round(this.#medianBytes * Math.min(20, Math.exp(SIGMA * normal)));
  }

  render(page: number, port: number): Buffer {
    const host = this.#web.hostOf(page);
    const links = this.#web.linksOf(page);
    const random = new Random(mix(this.#prose.seed, page, Purpose.text));
    const end = this.sizeOf(page) - HALF_PASSAGE_BYTES;
    const out = new HtmlBuffer(end + SPARE_BYTES);
    this.#head(out, page, host);
    let next = 0;
    while (out.length < end) {
      out.bytes(this.#prose.passage(random));
      out.text(next < links.length ? `${this.#link(links[next++]!, host, port)}</p>\n` : '</p>\n');
    }
    if (next < links.length) {
      const rest = links.slice(next).map((target) => `<li>${this.#link(target, host, port)}</li>\n`);
      out.text(`<ul>\n${rest.join('')}</ul>\n`);
    }
    out.text('</main>\n</body>\n</html>\n');
    return out.take();
  }

  #head(out: HtmlBuffer, page: number, host: number): void {
    const title = this.#prose.title(page);
    out.text(
      '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n' +
        `<title>${title}</title>\n<meta name="viewport" content="width=device-width">\n`,
    );
    out.bytes(this.#themes[host % THEMES]!);
    out.text(
      `</head>\n<body class="page">\n<main>\n<h1>${title}</h1>\n` +
        `<p class="keywords">Filed under ${this.#prose.uniqueWord(page)}.</p>\n`,
    );
  }

  #link(target: number, from: number, port: number): string {
    const host = this.#web.hostOf(target);
    const path = this.#web.pathOf(target, host);
    const href = host === from ? path : urlOf({ host: this.#web.hosts[host]!, path }, port);
    return `<a href="${href}">${this.#prose.title(target)}</a>`;
  }
}

function theme(random: Random, sizeBytes: number): Buffer {
  const word = () => wordOfRank(60 + random.below(LEXICON_SIZE - 60));
  let style = '';
  let script = '';
  while (style.length + script.length < sizeBytes) {
    style += `.${word()} .${word()} { margin: ${random.below(32)}px; color: #${random.between(0x100000, 0xffffff).toString(16)} }\n`;
    script += `window.${word()} = function (${word()}) { return ${random.below(1000)} < ${random.below(1000)}; };\n`;
  }
  return Buffer.from(`<style>\n${style}</style>\n<script>\n${script}</script>\n`);
}
