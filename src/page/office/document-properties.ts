/** The properties of a document: Dublin Core as the office formats and EPUB write it. */

import { readXml, type XmlDocument } from '../formats/mod.ts';
import { languageTag } from '../language/mod.ts';
import { MAX_DESCRIPTION, MAX_TITLE } from '../limits.ts';
import { parseDate, StructuredData } from '../metadata/mod.ts';
import type { StructuredItem } from '../page.ts';
import { foldSpace, isProgramTitle } from '../text/mod.ts';
import type { OfficePackage } from './office-package.ts';

export interface DocumentProperties {
  title: string;
  description: string;
  language: string;
  authors: string[];
  publisher: string;
  keywords: string[];
  /** In milliseconds since 1970, like `modifiedAt`; null if unknown. */
  createdAt: number | null;
  modifiedAt: number | null;
}

const MAX_AUTHORS = 10;
const NO_RECORDS = { records: new Set<string>(), markup: new Set<string>(), maxRecords: 1 };

function noProperties(): DocumentProperties {
  return {
    ...{ title: '', description: '', language: '', authors: [], publisher: '', keywords: [] },
    ...{ createdAt: null, modifiedAt: null },
  };
}

/** Reads the properties in a part. A part that does not exist or cannot be read has no properties. */
export function readProperties(file: OfficePackage, part: string): DocumentProperties {
  const source = file.readXml(part);
  if (!source) return noProperties();
  return propertiesIn(readXml(source, { ...NO_RECORDS, attributes: ['property'] }, file.budget));
}

/**
 * Office Open XML states the creation as `dcterms:created`, OpenDocument as `meta:creation-date`. The `dc:date` of
 * OpenDocument is the modification, that of EPUB the publication.
 */
function propertiesIn({ root, head }: XmlDocument): DocumentProperties {
  const isBook = root === 'package' || root === 'opf:package';
  const title = foldSpace(head.text('dc:title'), MAX_TITLE);
  const modified = head.all('meta').find(({ attributes }) => attributes.property === 'dcterms:modified');
  const initial = textsOf(head, 'meta:initial-creator');
  return {
    title: isProgramTitle(title) ? '' : title,
    description: foldSpace(head.text('dc:description', 'dc:subject'), MAX_DESCRIPTION),
    language: languageTag(head.text('dc:language')),
    authors: initial.length > 0 ? initial : textsOf(head, 'dc:creator'),
    publisher: foldSpace(head.text('dc:publisher'), MAX_TITLE),
    keywords: [...textsOf(head, 'cp:keywords'), ...textsOf(head, 'meta:keyword')],
    createdAt: parseDate(head.text('dcterms:created', 'meta:creation-date', ...(isBook ? ['dc:date'] : []))),
    modifiedAt: parseDate(modified?.text ?? head.text('dcterms:modified', ...(isBook ? [] : ['dc:date']))),
  };
}

function textsOf(head: XmlDocument['head'], name: string): string[] {
  const texts = head.all(name).map(({ text }) => foldSpace(text, MAX_TITLE));
  return [...new Set(texts)].filter((text) => text !== '').slice(0, MAX_AUTHORS);
}

/** Returns authors, publisher and keywords as an object of schema.org, or null if none is stated. */
export function structuredItemOf(type: string, properties: DocumentProperties): StructuredItem | null {
  const { title, authors, publisher, keywords } = properties;
  if (authors.length + keywords.length === 0 && publisher === '') return null;
  const data = new StructuredData();
  const item = data.begin(type, 'properties')!;
  data.add(item, 'name', title);
  for (const author of authors) data.add(item, 'author.name', author);
  data.add(item, 'publisher.name', publisher);
  for (const keyword of keywords) data.add(item, 'keywords', keyword);
  return item;
}
