/**
 * Converts WARC records written by other programs for our archive. Remaining transfer codings are decoded;
 * requests are not imported. Extracted text (the `conversion` records of WET files) becomes a `resource`
 * record.
 */
import { sha1Base32 } from '../../base/mod.ts';
import type { Archivable } from './warc-format.ts';
import type { ArchivedRecord } from './warc-reader.ts';

/**
 * Returns true for records that capture a URL at a time, such as responses. Requests and descriptions do not.
 */
export function isCapture({ type }: ArchivedRecord): boolean {
  return type === 'response' || type === 'revisit' || type === 'resource' || type === 'conversion';
}

/**
 * Converts a record for our archive. Returns null for a capture without a date, or of a protocol other than
 * HTTP.
 */
export function archivableOf(record: ArchivedRecord, url: string): Archivable | null {
  const { http, fields, block, date: fetchedAt } = record;
  if (Number.isNaN(fetchedAt)) return null;
  if (record.type === 'resource' || record.type === 'conversion') {
    const contentType = fields.get('content-type') ?? '';
    return { url, fetchedAt, contentType, payload: block, payloadDigest: sha1Base32(block) };
  }
  if (!http) return null;
  const { status, statusText, rawHeaders, payload } = http;
  const named = (fields.get('warc-payload-digest') ?? '').replace(/^sha1:/i, '');
  return {
    url,
    fetchedAt,
    requestHead: '',
    status,
    statusText,
    rawHeaders,
    payload,
    payloadDigest: record.type === 'revisit' ? named : sha1Base32(payload),
    ipAddress: fields.get('warc-ip-address') ?? '',
    duplicateOf: null,
  };
}
