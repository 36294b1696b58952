/**
 * Records of other writers, as our archive takes them. Transfer codings that they left in place are undone;
 * their requests are not taken along. Extracted text (the `conversion` records of WET files) becomes a
 * resource of its own.
 */
import { sha1Base32 } from '../base/mod.ts';
import type { Archivable } from './warc-format.ts';
import type { ArchivedRecord } from './warc-reader.ts';

/** Whether it stands for a URL at a moment, as requests and descriptions do not. */
export function isCapture({ type }: ArchivedRecord): boolean {
  return type === 'response' || type === 'revisit' || type === 'resource' || type === 'conversion';
}

/** Null for a capture without a date, or of something that is no HTTP. */
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
