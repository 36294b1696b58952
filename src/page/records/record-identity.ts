/**
 * Tells which records are about the same thing: two versions of a page, or two pages.
 *
 *   on one page     the identifier of the record; without one, a record that is the only one of its type on the page
 *                   keeps its identity when its name changes, and of several records the name counts
 *   between pages   the same identifier (a posting of one organization, a GTIN, an SKU or MPN of a brand), `sameAs`,
 *                   or the same name with the same `@id` or URL
 *   by agreement    the same name and the same facts of AGREEING, unless their identifiers differ
 */
import type { PlaceFact } from './places.ts';
import type { FactValue, TypedRecord } from './typed-records.ts';

export interface RecordIdentity {
  /** Names the record among those of its page and of other versions of the page. */
  onPage: string;
  /** Records of any pages that share one of these keys are about the same thing. */
  keys: string[];
  /** Records with the same text are about the same thing if their identifiers do not differ; null if it says too little. */
  text: string | null;
  identifier: string | null;
}

/** The facts that must be stated and equal, besides the name. Other types have no agreement by text. */
const AGREEING: Readonly<Record<string, readonly string[]>> = {
  JobPosting: ['organization', 'location', 'description'],
  Product: ['brand', 'description'],
  Article: ['author', 'datePublished'],
  Event: ['startDate', 'location'],
  Recipe: ['author', 'description'],
};

/** Only the beginning of long texts is compared, because some sites and syntaxes shorten them. */
const COMPARED_UNITS = 500;

/** Returns the identities of all records of a page. */
export function identitiesOf(records: readonly TypedRecord[], url: string): RecordIdentity[] {
  const counts = new Map<string, number>();
  for (const { type } of records) counts.set(type, (counts.get(type) ?? 0) + 1);
  return records.map((record) => identityOf(record, url, counts.get(record.type) === 1));
}

function identityOf(record: TypedRecord, url: string, isOnly: boolean): RecordIdentity {
  const { type, id, facts } = record;
  const name = plain((facts.title ?? facts.name ?? facts.headline)?.[0]);
  const identifier = identifierOf(record);
  const own = texts(facts.url)[0];
  const onPage = JSON.stringify([type, identifier ?? (isOnly ? '' : [name, own ?? ''])]);
  const addresses = [...(isOnly ? [url] : []), own, id].filter(isAddress);
  const keys = [
    ...(identifier === null ? [] : [['identifier', identifier]]),
    ...texts(facts.sameAs).map((address) => ['same as', address]),
    ...(name === '' ? [] : addresses.map((address) => ['address', address, name])),
  ].map((key) => JSON.stringify([type, ...key]));
  return { onPage, keys, text: agreementOf(record, name), identifier };
}

function identifierOf({ facts }: TypedRecord): string | null {
  const [gtin, brand] = [plain(facts.gtin?.[0]), plain(facts.brand?.[0])];
  if (gtin !== '') return gtin;
  const issuer = plain(facts.organization?.[0]) || brand;
  const number = texts(facts.identifier ?? facts.mpn ?? facts.sku)[0];
  return number === undefined || issuer === '' ? null : JSON.stringify([issuer, number]);
}

function agreementOf({ type, facts }: TypedRecord, name: string): string | null {
  const values = (AGREEING[type] ?? []).map((field) => plain(facts[field]?.[0]).slice(0, COMPARED_UNITS));
  if (name === '' || values.length === 0 || values.includes('')) return null;
  return JSON.stringify([type, name, ...values]);
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\//.test(text);
}

function texts(values: readonly FactValue[] = []): string[] {
  return values.filter((value) => typeof value === 'string');
}

/** Returns the letters and digits of a value in lower case; of a place, those of its city, country or address. */
function plain(value: FactValue | undefined): string {
  if (value === undefined || (typeof value === 'object' && 'amount' in value)) return '';
  const text = typeof value === 'object' ? placeText(value) : String(value);
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function placeText({ city, country, address, name }: PlaceFact): string {
  return [city, country].filter(Boolean).join(' ') || (address ?? name ?? '');
}
