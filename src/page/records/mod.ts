/**
 * Typed records: the structured data of a page by the types of schema.org, with the same fields and forms of values
 * on every site. A record is computed when it is asked for, so records of old journals get new rules too. Values that
 * do not fit are left out of the facts, and the record says why.
 */

export { identitiesOf, type RecordIdentity } from './record-identity.ts';
export { fieldsOfType } from './record-types.ts';
export { type FactValue, type TypedRecord, typedRecords } from './typed-records.ts';
