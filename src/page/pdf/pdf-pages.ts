/**
 * Finds the pages of a PDF in order. They are the leaves of a tree and inherit missing entries from their
 * parents.
 */
import type { PdfDocument } from './pdf-document.ts';
import type { Dictionary, Value } from './pdf-values.ts';

export interface PageNode {
  resources: Dictionary;
  annotations: Value[];
  /** Decompresses the content of the page. Nothing is cached, because each page is read once. */
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
    if (!document.budget.step()) return;
    collect(document, kid, resources, pages, seen, depth + 1);
  }
}

/** Collects all objects of type page, for documents without a valid page tree. */
function collectStrays(document: PdfDocument, pages: PageNode[]): void {
  for (const dictionary of document.dictionaries()) {
    if (pages.length === MAX_PAGES) return;
    if (document.nameOf(dictionary.get('Type')) !== 'Page') continue;
    pages.push(pageOf(document, dictionary, document.dictionaryOf(dictionary.get('Resources'))));
  }
}

function pageOf(document: PdfDocument, node: Dictionary, resources: Dictionary): PageNode {
  const annotations = document.listOf(node.get('Annots')).slice(0, MAX_ANNOTATIONS);
  document.budget.keep(1 + annotations.length);
  return {
    resources,
    annotations,
    content: () => contentOf(document, node.get('Contents')),
  };
}

/** Joins the content streams of a page. They may be split between any two words. */
function contentOf(document: PdfDocument, contents: Value | undefined): Buffer {
  const parts = document.listOf(contents);
  const streams = parts.length > 0 ? parts : contents === undefined ? [] : [contents];
  const bytes: Buffer[] = [];
  for (const stream of streams) {
    if (!document.budget.step()) break;
    const part = document.bytesOf(stream);
    if (part) bytes.push(part, SPACE);
  }
  // A single stream, the usual case, is returned without copying it, because it may be large.
  return bytes.length === 2 ? bytes[0]! : Buffer.concat(bytes);
}
