/**
 * The elements of a page as a tree, for record rules. Only pages of sites with rules are read this way, because it takes
 * several times as long as the reader of all other pages (`html/html-reader.ts`). parse5 builds the same tree as
 * browsers, so selectors that work in their inspectors work here.
 */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export interface PageElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: PageElement | null;
  readonly children: PageElement[];
  /** The position among the elements of the parent, from 0. */
  readonly index: number;
  /** The text of the element in document order; each part is a text or an element. */
  readonly parts: (string | PageElement)[];
}

/** Elements whose text is not shown. */
const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'head']);
const MAX_DEPTH = 500;

/** Returns the root element of a page. Elements that are nested more than MAX_DEPTH deep are left out. */
export function readPageTree(source: string): PageElement {
  const root = elementOf('#document', [], null, 0);
  const waiting: [DefaultTreeAdapterTypes.ParentNode, PageElement, number][] = [[parse(source), root, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, element, depth] = next;
    for (const child of node.childNodes) {
      if (child.nodeName === '#text') element.parts.push((child as DefaultTreeAdapterTypes.TextNode).value);
      else if ('tagName' in child && depth < MAX_DEPTH) {
        const inner = elementOf(child.tagName, child.attrs, element, element.children.length);
        element.children.push(inner);
        element.parts.push(inner);
        waiting.push([child, inner, depth + 1]);
      }
    }
  }
  return root;
}

function elementOf(
  name: string,
  attributes: readonly { name: string; value: string }[],
  parent: PageElement | null,
  index: number,
): PageElement {
  const map = new Map(attributes.map((attribute) => [attribute.name, attribute.value]));
  return { name, attributes: map, parent, index, children: [], parts: [] };
}

/** Yields the elements inside an element, in document order. */
export function* descendantsOf(element: PageElement): Generator<PageElement> {
  const waiting = element.children.toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (let i = next.children.length - 1; i >= 0; i--) waiting.push(next.children[i]!);
  }
}

/** Returns the visible text of an element. Parts of different elements are separated by a space. */
export function textOfElement(element: PageElement): string {
  const texts: string[] = [];
  const collect = ({ name, parts }: PageElement): void => {
    if (UNSEEN.has(name)) return;
    for (const part of parts) {
      if (typeof part === 'string') texts.push(part);
      else collect(part);
    }
    if (!INLINE.has(name)) texts.push(' ');
  };
  collect(element);
  return texts.join('').replace(/\s+/g, ' ').trim();
}

const INLINE = new Set(
  'a abbr b bdi bdo cite code data dfn em font i kbd mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);
