/**
 * Parses a file of record rules:
 *
 *   # The postings of a portal
 *   site jobs.example.org          the host and the hosts below it; begins the rules of a site
 *   path /postings/                only URLs whose path begins like this; optional
 *   record JobPosting              begins a record of this type
 *   each li.posting                one record for each of these elements; without it, one for the page
 *   title: h2 a                    a property: the text of the first element that the selector finds
 *   url: h2 a @href                the value of an attribute
 *   skills: li.skill *             a star at the end: all elements, not only the first
 *   hiringOrganization.name = Kiln & Sons        a fixed value
 *   list Offer                     entries of repeated lists are records of this type
 *
 * A `#` begins a comment at the start of a line or after white space, unless a selector continues after it (`#id`).
 */
import { readSite } from '../../url/mod.ts';
import { parseSelector, type Selector } from './selector.ts';

export interface PropertyRule {
  name: string;
  /** The elements whose text or attribute is the value; null if the value is fixed. */
  selector: Selector | null;
  attribute: string | null;
  isMany: boolean;
  fixed: string;
}

export interface RecordRule {
  type: string;
  /** The line on which the rule begins. */
  line: number;
  each: Selector | null;
  properties: PropertyRule[];
}

export interface SiteRecordRules {
  /** The file name without directories, for provenance. */
  file: string;
  site: string;
  path: string;
  records: RecordRule[];
  /** The type of the entries of repeated lists; null if lists are not recognized. */
  list: { type: string; line: number } | null;
}

/** A broken line of a file of rules. */
export class RuleError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const TYPE = /^[A-Za-z][\w:/.#-]{0,99}$/;
const PROPERTY = /^([A-Za-z][\w.-]{0,59})\s*([:=])\s*(.+)$/;

/** Parses the text of a file. Throws a RuleError at the first broken line. */
export function parseRecordRules(text: string, file: string): SiteRecordRules[] {
  const parser = new RuleParser(file);
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const line = raw.replace(/^\s*#.*$|\s#(?=\s).*$/, '').trim();
    if (line !== '') parser.read(line, index + 1);
  }
  return parser.finish();
}

class RuleParser {
  readonly #file: string;
  readonly #sites: SiteRecordRules[] = [];
  #siteLine = 0;

  constructor(file: string) {
    this.#file = file;
  }

  read(line: string, number: number): void {
    const property = PROPERTY.exec(line);
    if (property) this.#readProperty(property, number);
    else this.#readWord(line, number);
  }

  #readWord(line: string, number: number): void {
    const [word = '', ...rest] = line.split(/\s+/);
    const value = rest.join(' ');
    if (value === '') throw new RuleError(number, `expected a value after "${word}"`);
    if (word === 'site') this.#begin(value, number);
    else this.#readPart(word, value, number);
  }

  #readPart(word: string, value: string, number: number): void {
    const site = this.#sites.at(-1);
    if (!site) throw new RuleError(number, `"${word}" is before the first "site HOST"`);
    switch (word) {
      case 'path':
        if (!value.startsWith('/')) throw new RuleError(number, `a path begins with "/", not "${value}"`);
        site.path = value;
        break;
      case 'record':
        this.#endRecord();
        site.records.push({ type: typeOf(value, number), line: number, each: null, properties: [] });
        break;
      case 'list':
        site.list = { type: typeOf(value, number), line: number };
        break;
      case 'each':
        this.#record(number).each = selectorOf(value, number);
        break;
      default:
        throw new RuleError(
          number,
          `"${word}" is not a rule; write site, path, record, each, list, or NAME: SELECTOR`,
        );
    }
  }

  finish(): SiteRecordRules[] {
    this.#endSite();
    return this.#sites;
  }

  #begin(host: string, number: number): void {
    this.#endSite();
    const site = readSite(host);
    if (site === null) throw new RuleError(number, `"${host}" is not a host`);
    this.#siteLine = number;
    this.#sites.push({ file: this.#file, site, path: '/', records: [], list: null });
  }

  #readProperty([, name, sign, value]: RegExpExecArray, number: number): void {
    const record = this.#record(number);
    if (sign === '=') {
      record.properties.push({ name: name!, selector: null, attribute: null, isMany: false, fixed: value! });
      return;
    }
    const [, selector, attribute, star] = /^(.*?)(?:\s*@([\w:-]+))?(\s\*)?$/.exec(value!)!;
    record.properties.push({
      name: name!,
      selector: selectorOf(selector!, number),
      attribute: attribute?.toLowerCase() ?? null,
      isMany: star !== undefined,
      fixed: '',
    });
  }

  #record(number: number): RecordRule {
    const record = this.#sites.at(-1)?.records.at(-1);
    if (!record) throw new RuleError(number, 'expected "record TYPE" before this line');
    return record;
  }

  #endRecord(): void {
    const record = this.#sites.at(-1)?.records.at(-1);
    if (record?.properties.length === 0)
      throw new RuleError(record.line, `the record ${record.type} has no property`);
  }

  #endSite(): void {
    this.#endRecord();
    const site = this.#sites.at(-1);
    if (site?.records.length === 0 && site.list === null) {
      throw new RuleError(this.#siteLine, `the site ${site.site} has neither "record TYPE" nor "list TYPE"`);
    }
  }
}

function typeOf(value: string, number: number): string {
  if (TYPE.test(value)) return value;
  throw new RuleError(number, `"${value}" is not a type such as JobPosting`);
}

function selectorOf(text: string, number: number): Selector {
  try {
    return parseSelector(text);
  } catch (error) {
    throw new RuleError(number, (error as Error).message);
  }
}
