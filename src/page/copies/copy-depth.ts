/**
 * Limits how deeply the elements of a cached copy are nested. Browsers hang on pages with extreme nesting.
 * Therefore tags beyond the limit are left out, and their content becomes part of the innermost element that
 * was kept.
 *
 * This is not a parser. It knows which start tags end an element before them (`<li>` after `<li>`), and that
 * formatting elements like `<b>` continue after the end of the block they began in, as they do in browsers.
 * In unclear cases it counts too many elements as open, never too few.
 */

const MAX_DEPTH = 256;

/**
 * For each start tag, the names of the elements that it ends: `<li>` ends an open `<li>`. A start tag ends at
 * most the innermost open element.
 */
const ENDED_BY = new Map<string, ReadonlySet<string>>(
  Object.entries({
    p: 'p',
    li: 'p li',
    dt: 'p dt dd',
    dd: 'p dt dd',
    td: 'p td th',
    th: 'p td th',
    tr: 'p td th tr',
    tbody: 'p td th tr tbody thead tfoot',
    thead: 'p td th tr tbody thead tfoot',
    tfoot: 'p td th tr tbody thead tfoot',
    option: 'option',
  }).map(([name, ended]) => [name, new Set(ended.split(' '))]),
);
/** Formatting elements. They stay open until their own end tag, even if an element around them ends. */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));
/** Block elements. Their end tag ends all elements that are open inside them. */
const BLOCKS = new Set(
  'address article aside blockquote body center details div dl dt dd fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
/**
 * Elements that shield the blocks around them: the end tag of a block inside such an element does not end a
 * block outside it. End tags of table parts are the exception.
 */
const WALLS = new Set('table td th caption marquee'.split(' '));
const TABLE_PARTS = new Set('table tbody thead tfoot tr td th caption'.split(' '));

export class CopyDepth {
  #open: string[] = [];
  /** For each element name, the number of start tags that were left out and whose end tag has not come yet. */
  readonly #leftOut = new Map<string, number>();

  /**
   * Reports a start tag. Returns true if it may be written. Must not be called for void elements such as
   * `<br>`.
   */
  enter(name: string): boolean {
    const ended = ENDED_BY.get(name);
    if (ended) this.#end(ended);
    if (this.#open.length < MAX_DEPTH) {
      this.#open.push(name);
      return true;
    }
    this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + 1);
    return false;
  }

  /** Reports an end tag. Returns true if it may be written, that is if its start tag was not left out. */
  leave(name: string): boolean {
    const leftOut = this.#leftOut.get(name) ?? 0;
    if (leftOut > 0) {
      this.#leftOut.set(name, leftOut - 1);
      return false;
    }
    const at = this.#open.lastIndexOf(name);
    if (at < 0) return true;
    if (!BLOCKS.has(name)) this.#open.splice(at, 1);
    else if (TABLE_PARTS.has(name) || !this.#open.slice(at).some((each) => WALLS.has(each))) {
      const inside = this.#open.splice(at);
      this.#open.push(...inside.filter((each) => FORMATTING.has(each)));
    }
    return true;
  }

  #end(ended: ReadonlySet<string>): void {
    for (let at = this.#open.length - 1; at >= 0; at--) {
      if (ended.has(this.#open[at]!)) this.#open.splice(at, 1);
      else if (!FORMATTING.has(this.#open[at]!)) return;
    }
  }
}
