/**
 * Converts structured items to typed records. A record that does not fit its type is kept: its `problems` say which
 * field is missing, or which value has not the form of its field. Items of other types keep their properties as facts.
 */
import type { StructuredItem } from '../page.ts';
import { currencyCode, type Money, parseAmount, parseMoney } from './money.ts';
import { minutesOf, normalDate } from './normal-dates.ts';
import { type PlaceFact, readPlaces } from './places.ts';
import { type FieldForm, fieldsOfType, type RecordField, recordTypeOf } from './record-types.ts';

export type { Money } from './money.ts';
export type { PlaceFact } from './places.ts';

export type FactValue = string | number | Money | PlaceFact;

export interface TypedRecord {
  /** The type whose fields the record has, such as `Article`; otherwise the stated type. */
  type: string;
  /** The type that the page states, if it is a subtype such as `NewsArticle`. */
  statedType?: string;
  /** The syntax or rule that the record comes from, as in `StructuredItem`; empty in older journals. */
  source: string;
  id?: string;
  facts: Record<string, FactValue[]>;
  /** The reasons why the record does not fit its type; empty if it fits. */
  problems: string[];
}

type Properties = StructuredItem['properties'];

const MAX_SHOWN = 80;

/** Returns the records of a page. `url` is the URL of the page, which relative URLs refer to. */
export function typedRecords(items: readonly StructuredItem[], url: string): TypedRecord[] {
  return items.map((item) => typedRecord(item, url));
}

function typedRecord(
  { type: stated, source = '', id, properties }: StructuredItem,
  url: string,
): TypedRecord {
  const type = recordTypeOf(stated);
  const record: TypedRecord = {
    ...{ type: type ?? stated, ...(type !== null && type !== stated && { statedType: stated }), source },
    ...(id !== undefined && { id }),
    ...{ facts: {}, problems: [] },
  };
  if (type === null) return { ...record, facts: { ...properties } };
  const isForPeople = /^(?:rule|list)\b/.test(source);
  for (const field of fieldsOfType(type)) {
    const problemCount = record.problems.length;
    const values = valuesOf(field, properties, { url, isForPeople }, (reason) =>
      record.problems.push(`${field.name}: ${reason}`),
    );
    if (values.length > 0) record.facts[field.name] = values;
    else if (field.isRequired && record.problems.length === problemCount)
      record.problems.push(`${field.name}: missing`);
  }
  return record;
}

interface Reading {
  url: string;
  isForPeople: boolean;
}

type Problem = (reason: string) => void;

function valuesOf(
  { form, from }: RecordField,
  properties: Properties,
  reading: Reading,
  problem: Problem,
): FactValue[] {
  if (form === 'place') return readPlaces(properties, from[0]!, problem);
  if (form === 'money') return moneyIn(properties, from[0]!, reading, problem);
  const stated = from.find((name) => Object.hasOwn(properties, name));
  return (stated === undefined ? [] : properties[stated]!).flatMap((raw) => {
    const value = READERS[form](raw, reading);
    if (value === null) problem(`${shown(raw)} is not ${FORM_NAMES[form]}`);
    return value ?? [];
  });
}

type PlainForm = Exclude<FieldForm, 'place' | 'money'>;

const READERS: Readonly<Record<PlainForm, (raw: string, reading: Reading) => string | number | null>> = {
  text: (raw) => raw,
  url: (raw, { url }) => webAddress(raw, url),
  date: normalDate,
  number: (raw, { isForPeople }) => parseAmount(raw, isForPeople),
  minutes: minutesOf,
  code: (raw) => raw.replace(/^https?:\/\/(?:www\.)?schema\.org\//i, ''),
};

const FORM_NAMES: Readonly<Record<PlainForm, string>> = {
  text: 'a text',
  url: 'a URL',
  date: 'an unambiguous date',
  number: 'a number',
  minutes: 'a duration such as PT1H30M',
  code: 'a code',
};

function webAddress(raw: string, base: string): string | null {
  const url = URL.parse(raw, base);
  return url && /^https?:$/.test(url.protocol) && !/\s/.test(raw) ? url.href : null;
}

/** Returns the amounts below a property such as `offers`, or of the item itself if `prefix` is empty. */
function moneyIn(
  properties: Properties,
  prefix: string,
  { isForPeople }: Reading,
  problem: Problem,
): Money[] {
  const first = (...names: string[]): string[] => {
    const paths = names.map((name) => [prefix, name].filter((part) => part !== '').join('.'));
    const stated = paths.find((path) => path !== '' && Object.hasOwn(properties, path));
    return stated === undefined ? [] : properties[stated]!;
  };
  const lowest = first('lowPrice', 'value.minValue', 'minValue');
  const highest = first('highPrice', 'value.maxValue', 'maxValue');
  const single = first('price', 'value.value', 'value', 'priceSpecification.price', '');
  const amounts = single.length > 0 ? single : lowest.length > 0 ? lowest : highest;
  const stated = first('priceCurrency', 'currency', 'priceSpecification.priceCurrency', 'value.currency');
  const units = first('value.unitText', 'unitText');
  if (stated.length > 1 && stated.length !== amounts.length) {
    problem(`${stated.length} currencies for ${amounts.length} amounts`);
    return [];
  }
  return amounts.flatMap((raw, index) => {
    const money = parseMoney(raw, isForPeople);
    if (money === null) {
      problem(`${shown(raw)} is not an amount of money`);
      return [];
    }
    const unit = stated[index] ?? stated[0];
    const currency = unit === undefined ? (money.currency ?? null) : currencyCode(unit);
    if (currency === null)
      problem(unit === undefined ? 'the currency is missing' : `${shown(unit)} is not a currency`);
    const max = single.length === 0 ? parseAmount(highest[index] ?? '', isForPeople) : null;
    return [
      {
        amount: money.amount,
        ...((max ?? money.max) !== undefined && max !== money.amount && { max: max ?? money.max! }),
        ...(currency !== null && { currency }),
        ...(units.length > 0 && { per: (units[index] ?? units[0]!).toUpperCase() }),
      },
    ];
  });
}

function shown(raw: string): string {
  return JSON.stringify(raw.length > MAX_SHOWN ? `${raw.slice(0, MAX_SHOWN)}…` : raw);
}
