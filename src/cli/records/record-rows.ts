/**
 * The columns of exported records. Every export has the columns of COMMON; `facts` has all values as JSON. An export with
 * histories has those of HISTORY. An export of one type also has a column for each field of the type, or several for
 * money and places, with the first value.
 */
import { type FactValue, fieldsOfType, type TypedRecord } from '../../page/mod.ts';
import type { Lifetime } from './things.ts';
import type { Column, TableOptions } from './write-table.ts';

export interface ExportedRecord {
  url: string;
  fetchedAt: number;
  /** Null if the page was removed or no longer has records. */
  record: TypedRecord | null;
  /** Absent if there is no record. */
  lifetime?: Lifetime;
}

type RecordColumn = Column<ExportedRecord>;

const COMMON: readonly RecordColumn[] = [
  { name: 'url', kind: 'text', cellOf: ({ url }) => url },
  { name: 'fetchedAt', kind: 'time', cellOf: ({ fetchedAt }) => new Date(fetchedAt) },
  { name: 'removed', kind: 'boolean', cellOf: ({ record }) => record === null },
  textColumn('type', ({ type }) => type),
  textColumn('statedType', ({ statedType }) => statedType),
  textColumn('source', ({ source }) => source),
  textColumn('id', ({ id }) => id),
  textColumn('problems', ({ problems }) => (problems.length > 0 ? problems.join('\n') : undefined)),
  textColumn('facts', ({ facts }) => JSON.stringify(facts)),
  timeColumn('firstSeen', ({ firstSeenAt }) => firstSeenAt),
  timeColumn('lastSeen', ({ lastSeenAt }) => lastSeenAt),
];

const HISTORY: readonly RecordColumn[] = [
  timeColumn('closed', ({ closed }) => closed?.at),
  { name: 'closedReason', kind: 'text', cellOf: ({ lifetime }) => lifetime?.closed?.reason ?? null },
  { name: 'urls', kind: 'text', cellOf: ({ lifetime }) => lifetime?.urls.join('\n') ?? null },
];

const PARTS: Readonly<Record<string, readonly string[]>> = {
  money: ['amount', 'max', 'currency', 'per'],
  place: ['name', 'street', 'city', 'region', 'postalCode', 'country', 'address', 'latitude', 'longitude'],
};
const NUMBERS = new Set(['number', 'minutes', 'amount', 'max', 'latitude', 'longitude']);

function textColumn(name: string, read: (record: TypedRecord) => string | undefined): RecordColumn {
  return { name, kind: 'text', cellOf: ({ record }) => (record && read(record)) ?? null };
}

/** Records of one row group of a Parquet file. */
const GROUP_ROWS = 5_000;

/** Returns the table of an export of all types, or of one type. */
export function recordTable(type: string | null, hasHistory = false): TableOptions<ExportedRecord> {
  const lineOf = (exported: ExportedRecord) => lineOfRecord(exported, hasHistory);
  return { columns: recordColumns(type, hasHistory), lineOf, groupRows: GROUP_ROWS };
}

function lineOfRecord({ url, fetchedAt, record, lifetime }: ExportedRecord, hasHistory: boolean): object {
  return {
    ...{ url, fetchedAt: isoTime(fetchedAt), ...(record ?? { removed: true }) },
    ...(lifetime && seenLine(lifetime)),
    ...(lifetime && hasHistory && historyLine(lifetime)),
  };
}

function seenLine({ firstSeenAt, lastSeenAt }: Lifetime) {
  return { firstSeen: isoTime(firstSeenAt), lastSeen: isoTime(lastSeenAt) };
}

function historyLine({ closed, urls }: Lifetime) {
  return { ...(closed && { closed: isoTime(closed.at), closedReason: closed.reason }), urls };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

function timeColumn(name: string, read: (lifetime: Lifetime) => number | undefined): RecordColumn {
  const cellOf = ({ lifetime }: ExportedRecord) => {
    const time = lifetime && read(lifetime);
    return time === undefined ? null : new Date(time);
  };
  return { name, kind: 'time', cellOf };
}

function recordColumns(type: string | null, hasHistory: boolean): RecordColumn[] {
  const fields = type === null ? [] : fieldsOfType(type);
  return [
    ...COMMON,
    ...(hasHistory ? HISTORY : []),
    ...fields.flatMap(({ name, form }) =>
      form in PARTS ? PARTS[form]!.map((part) => partColumn(name, part)) : [fieldColumn(name, form)],
    ),
  ];
}

/** A field with the name of a common column, such as `url`, is called `record_url`: it is the URL that the record states. */
function fieldColumn(field: string, form: string): RecordColumn {
  const name = [...COMMON, ...HISTORY].some((column) => column.name === field) ? `record_${field}` : field;
  return { name, kind: kindOf(form), cellOf: ({ record }) => plainCell(record?.facts[field]?.[0]) };
}

function partColumn(field: string, part: string): RecordColumn {
  return {
    name: `${field}_${part}`,
    kind: kindOf(part),
    cellOf: ({ record }) => {
      const value = record?.facts[field]?.[0];
      return typeof value === 'object' ? plainCell((value as Record<string, FactValue>)[part]) : null;
    },
  };
}

function kindOf(form: string): RecordColumn['kind'] {
  return NUMBERS.has(form) ? 'number' : 'text';
}

function plainCell(value: FactValue | undefined): string | number | null {
  return typeof value === 'object' ? null : (value ?? null);
}
