/**
 * Reads the title, first heading, language and main text of a page with parse5. This parser is independent of
 * Gyre's parser, whose results are checked with it. The main text is the text of `<main>` or `role=main` or,
 * without such an element, the text of the body without menus, headers, footers and side bars. Manuals that
 * DocBook and Publican wrote mark their links to the previous and next page only by class names (`navheader`,
 * `docnav`), so elements with these class names count as menus, too. Otherwise a short page with an English
 * text and translated links would count as two different pages.
 */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

export interface Outline {
  title: string;
  h1: string;
  /** The declared language in lower case; empty if there is none. */
  language: string;
  /** True if the page forbids indexing (`noindex`). */
  isNoIndex: boolean;
  mainText: string;
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const INVISIBLE = new Set(['head', 'noscript', 'script', 'style', 'template']);
const AROUND_CONTENT = new Set(['aside', 'footer', 'header', 'nav']);
const AROUND_CONTENT_ROLES = new Set(['banner', 'complementary', 'contentinfo', 'navigation', 'search']);
/** Matches class names of the bars with links above and below the content of a page of a manual. */
const AROUND_CONTENT_CLASS = /(?:^|\s)(?:docnav|navheader|navfooter)(?:\s|$)/;
/** Elements that are part of a line of text. All other elements separate words. */
const INLINE = new Set(
  'a abbr b bdi big cite code em font i kbd q s small span strong tt u var wbr'.split(' '),
);

export function outlineOf(html: string): Outline {
  const document = parse(html);
  const root = findElement(document, isTag('html'))!;
  const title = findElement(document, isTag('title'));
  // A frameset has no body.
  const body = findElement(document, isTag('body')) ?? root;
  const main = findElement(
    body,
    (element) => element.tagName === 'main' || attribute(element, 'role') === 'main',
  );
  const h1 = findElement(body, isTag('h1'));
  return {
    title: title ? foldedText(title, never) : '',
    h1: h1 ? foldedText(h1, never) : '',
    language: (attribute(root, 'lang') || attribute(root, 'xml:lang')).toLowerCase(),
    isNoIndex: findElement(document, isNoIndexElement) !== null,
    mainText: main ? foldedText(main, isInvisible) : foldedText(body, isAroundContent),
  };
}

/**
 * Reads only the part of a page before the body, which is much faster. The main text of the outline is empty.
 */
export function headOutlineOf(html: string): Outline {
  const bodyAt = html.search(/<body[\s>]/i);
  return { ...outlineOf(bodyAt < 0 ? html : html.slice(0, bodyAt)), mainText: '' };
}

function isTag(name: string): (element: Element) => boolean {
  return ({ tagName }) => tagName === name;
}

function isNoIndexElement(element: Element): boolean {
  const names = ['robots', 'gyre'];
  return (
    element.tagName === 'meta' &&
    names.includes(attribute(element, 'name').toLowerCase()) &&
    /\b(?:noindex|none)\b/i.test(attribute(element, 'content'))
  );
}

function never(): boolean {
  return false;
}

function isInvisible({ tagName }: Element): boolean {
  return INVISIBLE.has(tagName);
}

function isAroundContent(element: Element): boolean {
  return (
    isInvisible(element) ||
    AROUND_CONTENT.has(element.tagName) ||
    AROUND_CONTENT_ROLES.has(attribute(element, 'role')) ||
    AROUND_CONTENT_CLASS.test(attribute(element, 'class'))
  );
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((one) => one.name === name)?.value ?? '';
}

/**
 * Returns the first matching element in document order. Uses a stack instead of recursion, because real pages
 * are deeply nested.
 */
function findElement(root: Node, isWanted: (element: Element) => boolean): Element | null {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (defaultTreeAdapter.isElementNode(node) && isWanted(node)) return node;
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed());
  }
  return null;
}

/** Returns the text of an element with white space folded. */
function foldedText(root: Element, isLeftOut: (element: Element) => boolean): string {
  const parts: string[] = [];
  const stack: (Node | string)[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') parts.push(node);
    else if (defaultTreeAdapter.isTextNode(node)) parts.push(node.value);
    else if (defaultTreeAdapter.isElementNode(node)) {
      if (node !== root && isLeftOut(node)) continue;
      const space = INLINE.has(node.tagName) ? '' : ' ';
      stack.push(space, ...node.childNodes.toReversed(), space);
    }
  }
  return parts.join('').replace(/\s+/g, ' ').trim();
}
