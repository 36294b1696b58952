/**
 * Removes the URLs from a style sheet: `@import` rules and functions such as `url()` are left out.
 *
 * The text is read as tokens (CSS Syntax Level 3, § 4), in one pass and in linear time. A search for `url(`
 * and `@import` is not enough: a browser reads `u\72 l(` as `url(`, and from `@imp@import;ort` a search
 * removes `@import;` and leaves `@import`. Here names are compared after their escapes are decoded, and every
 * removed rule or function is replaced by text that keeps its neighbours apart. All other tokens are copied
 * unchanged.
 *
 * In unclear cases more is left out rather than less: for example, a non-ASCII letter ends a name.
 */

/** CSS functions that load the URL in their argument. */
const LOADING = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set']);
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
const ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \n\r\t\f])?|([^\n\r\f]))/gi;
const HEX_ESCAPE = /\\[0-9a-f]{1,6}(?:\r\n|[ \n\r\t\f])?/iy;

export function inertStyle(css: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < css.length; ) {
    const isRule = css[at] === '@';
    const nameAt = isRule ? at + 1 : at;
    const end = nameEnd(css, nameAt);
    const name = decoded(css.slice(nameAt, end));
    if (isRule && name === 'import') {
      pieces.push(' ');
      at = afterRule(css, end);
    } else if (!isRule && css[end] === '(' && LOADING.has(name)) {
      pieces.push('none');
      at = afterFunction(css, end, name);
    } else {
      const next = end > nameAt ? end : afterToken(css, at);
      pieces.push(css.startsWith('/*', at) ? '/**/' : css.slice(at, next));
      at = next;
    }
  }
  return pieces.join('');
}

/** Returns the end of the CSS name that begins at `from`: letters, digits and escapes. */
function nameEnd(css: string, from: number): number {
  let at = from;
  while (at < css.length) {
    const character = css[at]!;
    if (isNamePart(character)) at++;
    else if (character === '\\' && at + 1 < css.length && !isNewline(css[at + 1]!)) at = afterEscape(css, at);
    else break;
  }
  return at;
}

function afterEscape(css: string, at: number): number {
  HEX_ESCAPE.lastIndex = at;
  return HEX_ESCAPE.test(css) ? HEX_ESCAPE.lastIndex : at + 2;
}

/** Returns the end of the CSS token at `at`: a string, a comment, a name or a single character. */
function afterToken(css: string, at: number): number {
  const character = css[at]!;
  if (character === '"' || character === "'") return afterString(css, at, character);
  if (!css.startsWith('/*', at)) return Math.max(at + 1, nameEnd(css, at));
  const end = css.indexOf('*/', at + 2);
  return end < 0 ? css.length : end + 2;
}

/** Returns the end of a CSS string. An unclosed string ends before the end of its line. */
function afterString(css: string, from: number, quote: string): number {
  for (let at = from + 1; at < css.length; at++) {
    if (css[at] === quote) return at + 1;
    if (css[at] === '\\') at++;
    else if (isNewline(css[at]!)) return at;
  }
  return css.length;
}

/**
 * Returns the end of an `@import` rule: its semicolon, the end of the block after it, or the end of the block
 * around it.
 */
function afterRule(css: string, from: number): number {
  const open: string[] = [];
  for (let at = from; at < css.length; ) {
    const character = css[at]!;
    if (open.length === 0 && character === '}') return at;
    at = afterToken(css, at);
    noteBracket(open, character);
    if (open.length === 0 && (character === ';' || character === '}')) return at;
  }
  return css.length;
}

/**
 * Returns the end of a CSS function, which is the bracket that closes it. A `url()` without quotes ends with
 * the next closing bracket.
 */
function afterFunction(css: string, bracketAt: number, name: string): number {
  if (name === 'url' && !/^["']/.test(css.slice(bracketAt + 1, bracketAt + 100).trimStart())) {
    return afterBareAddress(css, bracketAt + 1);
  }
  const open: string[] = [];
  for (let at = bracketAt; at < css.length; ) {
    const character = css[at]!;
    at = afterToken(css, at);
    noteBracket(open, character);
    if (open.length === 0) return at;
  }
  return css.length;
}

function afterBareAddress(css: string, from: number): number {
  for (let at = from; at < css.length; at++) {
    if (css[at] === ')') return at + 1;
    if (css[at] === '\\') at++;
  }
  return css.length;
}

function noteBracket(open: string[], character: string): void {
  const closing = CLOSING[character];
  if (closing !== undefined) open.push(closing);
  else if (character === open.at(-1)) open.pop();
}

function isNamePart(character: string): boolean {
  const code = character.charCodeAt(0) | 0x20;
  return (code >= 0x61 && code <= 0x7a) || /[0-9_-]/.test(character);
}

function isNewline(character: string): boolean {
  return character === '\n' || character === '\r' || character === '\f';
}

/** Returns a CSS name as browsers compare it: in lower case and with escapes decoded. */
function decoded(raw: string): string {
  const name = raw.includes('\\')
    ? raw.replace(ESCAPE, (_escape, hex, literal) => literal ?? fromHex(hex))
    : raw;
  return name.toLowerCase();
}

function fromHex(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
