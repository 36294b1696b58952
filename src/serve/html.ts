/**
 * Builds HTML with a template tag that escapes its values: html`<p title="${a}">${b}</p>`.
 *
 * The literal parts are scanned once per template to find the context of each value:
 *
 *   text        between tags: escaped; nested templates and arrays of them are inserted unchanged
 *   attribute   inside double quotes: escaped; a template is refused there
 *   address     at the start of an attribute with a URL, such as `href`: only http and https are allowed,
 *               anything else becomes `#`
 *
 * A value in any other context (an unquoted attribute, a tag name, a comment, a script or a style) is a bug
 * and throws the first time the template is used, so no page can forget to escape. There is deliberately no
 * way to insert raw text. The tag is also used for XML.
 */

export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[];

/** Finished markup. The class is not exported as a value, so only `html` can create instances. */
class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type { Html };

type Place = 'text' | 'attribute' | 'address';
type State = 'text' | 'tag' | 'value' | 'comment' | 'raw';

const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data']);
const RAW_TAGS = new Set(['script', 'style']);
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const placesByTemplate = new WeakMap<TemplateStringsArray, Place[]>();

export function html(literals: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let places = placesByTemplate.get(literals);
  if (!places) {
    places = findPlaces(literals);
    placesByTemplate.set(literals, places);
  }
  let markup = literals[0]!;
  for (let at = 0; at < values.length; at++) {
    markup += render(values[at], places[at]!) + literals[at + 1]!;
  }
  return new Html(markup);
}

function render(value: HtmlValue, place: Place): string {
  if (value === null || value === undefined || value === false) return '';
  if (place === 'text') {
    if (value instanceof Html) return value.toString();
    if (Array.isArray(value)) return value.map((item) => render(item, place)).join('');
  } else if (typeof value === 'object') {
    throw new TypeError('expected plain text as the value of an attribute, got markup');
  }
  return escapeText(place === 'address' ? webAddress(String(value)) : String(value));
}

/**
 * Escapes text for HTML. A test comes before the replacement, because most values need no escapes and a test
 * is much cheaper.
 */
function escapeText(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character]!) : text;
}

/**
 * Returns the address if it is relative or has the scheme http or https; otherwise `#`. A pattern accepts the
 * most frequent addresses. All others are parsed by `URL.parse`, which like a browser removes line breaks: it
 * recognizes `java\nscript:` as the scheme `javascript:`.
 */
function webAddress(address: string): string {
  if (/^(?:\/|https?:\/\/[a-z\d][a-z\d.-]*[/?#])/.test(address)) return address;
  const protocol = URL.parse(address, 'http://page.invalid/')?.protocol;
  return protocol === 'http:' || protocol === 'https:' ? address : '#';
}

function findPlaces(literals: TemplateStringsArray): Place[] {
  const scanner = new MarkupScanner();
  return literals.slice(0, -1).map((literal) => {
    scanner.read(literal);
    return scanner.place();
  });
}

/**
 * Finds the context of each value by scanning the literals of a template. The literals are well formed; the
 * scanner does not handle arbitrary HTML.
 */
class MarkupScanner {
  #state: State = 'text';
  #tag = '';
  #attribute = '';
  /** The literal text at the start of the current attribute's value. */
  #prefix = '';
  #holeInValue = false;

  read(literal: string): void {
    for (let at = 0; at < literal.length; at++) {
      const character = literal[at]!;
      if (this.#state === 'text' && character === '<') this.#openTag(literal.slice(at + 1));
      else if (this.#state === 'tag') this.#inTag(character, literal.slice(0, at));
      else if (this.#state === 'value') this.#inValue(character);
      else if (this.#state === 'comment' && literal.startsWith('-->', at)) this.#state = 'text';
      else if (this.#state === 'raw' && literal.startsWith(`</${this.#tag}`, at)) this.#openTag('/');
    }
  }

  place(): Place {
    if (this.#state === 'text') return 'text';
    if (this.#state !== 'value')
      throw new TypeError(`values are not allowed in a ${this.#state} of a template`);
    const first = !this.#holeInValue;
    this.#holeInValue = true;
    if (!ADDRESSES.has(this.#attribute) || /[/?#]/.test(this.#prefix)) return 'attribute';
    if (first && this.#prefix === '') return 'address';
    throw new TypeError(
      `a value in ${this.#attribute} must follow a /, ? or #: it could change the host of the URL`,
    );
  }

  #openTag(rest: string): void {
    this.#state = rest.startsWith('!--') ? 'comment' : 'tag';
    this.#tag = /^[a-z][a-z0-9-]*/i.exec(rest)?.[0].toLowerCase() ?? '';
  }

  #inTag(character: string, before: string): void {
    if (character === '>') {
      this.#state = RAW_TAGS.has(this.#tag) ? 'raw' : 'text';
    } else if (character === '"') {
      this.#state = 'value';
      this.#attribute = /([^\s"<>/=]+)=$/.exec(before)?.[1]?.toLowerCase() ?? '';
      this.#prefix = '';
      this.#holeInValue = false;
    } else if (character === "'") {
      throw new TypeError('expected double quotes around the value of an attribute');
    }
  }

  #inValue(character: string): void {
    if (character === '"') this.#state = 'tag';
    else this.#prefix += character;
  }
}
