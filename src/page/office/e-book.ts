/**
 * Reads the text of an EPUB (EPUB 3.3): the XHTML documents of its spine, in reading order. A chapter that is
 * encrypted is left out. Links between chapters are removed, because the chapters have no URLs.
 */
import { elementsIn } from '../formats/mod.ts';
import { declaredCharset, toUtf8 } from '../text/mod.ts';
import { MarkupWriter } from './markup-writer.ts';
import { type OfficePackage, resolvePart } from './office-package.ts';

const CHAPTER_TYPE = /^(?:application\/xhtml\+xml|text\/html|text\/x-oeb1-document)$/i;
const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';

/** Returns the name of the part that describes the book; empty if the file is not an EPUB. */
export function bookPart(file: OfficePackage): string {
  const source = file.readXml(CONTAINER);
  if (!source) return '';
  const [root] = elementsIn(source, ['rootfile'], ['full-path'], file.budget);
  return root?.attributes['full-path'] ?? '';
}

/** Returns the text of the book as XHTML; null if its description cannot be read. */
export function bookMarkup(
  file: OfficePackage,
  part: string,
): { markup: string; isEncrypted: boolean } | null {
  const source = file.readXml(part);
  if (!source) return null;
  const elements = elementsIn(
    source,
    ['item', 'itemref'],
    ['id', 'href', 'media-type', 'idref'],
    file.budget,
  );
  const items = new Map(elements.map(({ attributes }) => [attributes.id ?? '', attributes]));
  const encrypted = encryptedParts(file);
  const writer = new MarkupWriter();
  let isEncrypted = false;
  for (const { name, attributes } of elements) {
    if (writer.isFull || file.budget.isSpent) break;
    const item = name === 'itemref' ? items.get(attributes.idref ?? '') : undefined;
    if (!item || !CHAPTER_TYPE.test(item['media-type'] ?? '')) continue;
    const chapter = resolvePart(part, item.href ?? '');
    if (encrypted.has(chapter)) isEncrypted = true;
    else writer.addMarkup(bodyOf(file.read(chapter)));
  }
  const markup = writer.finish();
  return { markup, isEncrypted: isEncrypted && markup === '' };
}

/** Returns the names of parts that need a key. Encrypted fonts are of no interest. */
function encryptedParts(file: OfficePackage): Set<string> {
  const source = file.readXml(ENCRYPTION);
  if (!source) return new Set();
  const references = elementsIn(source, ['CipherReference'], ['uri'], file.budget);
  return new Set(references.map(({ attributes }) => resolvePart('', attributes.uri ?? '')));
}

/** Returns the content of the `<body>` of a chapter. The head has only what the description of the book has too. */
function bodyOf(bytes: Buffer | null): string {
  if (!bytes) return '';
  const source = toUtf8(bytes, '', declaredCharset).toString();
  const start = source.indexOf('<body');
  const from = start < 0 ? -1 : source.indexOf('>', start) + 1;
  if (from <= 0) return '';
  const end = source.lastIndexOf('</body');
  return `<div>${source.slice(from, end < from ? source.length : end)}</div>\n`;
}
