/** The pages of a PDF in order: the leaves of a tree, which inherit what they do not say themselves. */
import type { PdfDocument } from './pdf-document.ts';
import type { Dictionary, Value } from './pdf-values.ts';

export interface PageNode {
  resources: Dictionary;
  annotations: Value[];
  /** Unpacked when it is asked for, as one page after the other is read. */
  content(): Buffer;
}

const MAX_PAGES = 5_000;
const MAX_DEPTH = 50;
const MAX_ANNOTATIONS = 2_000;
const SPACE = Buffer.from('\n');

export function findPages(document: PdfDocument): { catalog: Dictionary; pages: PageNode[] } {
  const catalog = findCatalog(document);
  const pages: PageNode[] = [];
  collect(document, catalog.get('Pages'), new Map(), pages, new Set(), 0);
  if (pages.length === 0) collectStrays(document, pages);
  return { catalog, pages };
}

function findCatalog(document: PdfDocument): Dictionary {
  const root = document.dictionaryOf(document.trailer.get('Root'));
  if (root.has('Pages')) return root;
  for (const dictionary of document.dictionaries()) {
    if (document.nameOf(dictionary.get('Type')) === 'Catalog') return dictionary;
  }
  return new Map();
}

function collect(
  document: PdfDocument,
  value: Value | undefined,
  inherited: Dictionary,
  pages: PageNode[],
  seen: Set<Dictionary>,
  depth: number,
): void {
  const node = document.dictionaryOf(value);
  if (node.size === 0 || seen.has(node) || depth > MAX_DEPTH || pages.length >= MAX_PAGES) return;
  seen.add(node);
  const own = document.dictionaryOf(node.get('Resources'));
  const resources = own.size > 0 ? own : inherited;
  if (!node.has('Kids')) pages.push(pageOf(document, node, resources));
  for (const kid of document.listOf(node.get('Kids'))) {
    collect(document, kid, resources, pages, seen, depth + 1);
  }
}

/** When the tree is lost, whatever calls itself a page. */
function collectStrays(document: PdfDocument, pages: PageNode[]): void {
  for (const dictionary of document.dictionaries()) {
    if (pages.length === MAX_PAGES) return;
    if (document.nameOf(dictionary.get('Type')) !== 'Page') continue;
    pages.push(pageOf(document, dictionary, document.dictionaryOf(dictionary.get('Resources'))));
  }
}

function pageOf(document: PdfDocument, node: Dictionary, resources: Dictionary): PageNode {
  return {
    resources,
    annotations: document.listOf(node.get('Annots')).slice(0, MAX_ANNOTATIONS),
    content: () => contentOf(document, node.get('Contents')),
  };
}

/** One stream or several, which may break off anywhere between two words. */
function contentOf(document: PdfDocument, contents: Value | undefined): Buffer {
  const parts = document.listOf(contents);
  const streams = parts.length > 0 ? parts : contents === undefined ? [] : [contents];
  return Buffer.concat(
    streams.flatMap((stream) => {
      const bytes = document.bytesOf(stream);
      return bytes ? [bytes, SPACE] : [];
    }),
  );
}
