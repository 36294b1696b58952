/** Writes the CDXJ file of each WARC file and restores missing lines. cdx-format.ts describes the lines. */
import { type AppendFile, type Directory, partOf } from '../../base/mod.ts';
import { type CdxEntry, cdxTimestamp, decodeCdx, encodeCdx, REVISIT_MIME, sortCdx } from '../cdx/mod.ts';
import { detectCompression } from './compressed-members.ts';
import { headerOf } from './http-message.ts';
import { cdxNameOf, isWarcName } from './warc-compression.ts';
import { mimeOf } from './warc-encoder.ts';
import { httpOf, type LocatedRecord, noDamage, scanMembers } from './warc-reader.ts';

/**
 * Opens the CDXJ part file of the WARC file `name`, which still grows and has `length` valid bytes, to append
 * lines. Lines for records after these bytes are removed; missing lines are created from the records.
 */
export function resumeCdx(directory: Directory, name: string, length: number): AppendFile {
  const part = partOf(cdxNameOf(name));
  const { bytes, end } = validLines(directory, part, length);
  const file = directory.append(part, bytes);
  for (const line of linesFrom(directory, partOf(name), name, end, length)) {
    file.write(Buffer.from(`${line}\n`));
  }
  return file;
}

/** Writes the sorted CDXJ file of a finished WARC file. */
export function finishCdx(directory: Directory, name: string): void {
  const part = partOf(cdxNameOf(name));
  const size = directory.sizeOf(name);
  const { lines, end } = validLines(directory, part, size);
  lines.push(...linesFrom(directory, name, name, end, size));
  directory.replace(cdxNameOf(name), sortCdx(lines));
}

/**
 * Replaces the CDXJ file of the finished WARC file `name`. The new lines are made from the records in the file
 * `stored`.
 */
export function rewriteCdx(directory: Directory, stored: string, name: string): void {
  const lines = linesFrom(directory, stored, name, 0, directory.sizeOf(stored));
  directory.replace(cdxNameOf(name), sortCdx([...lines]));
}

/** Creates missing CDXJ files. Every writer of the archive calls this first. */
export function repairCdx(directory: Directory): void {
  const names = new Set(directory.list());
  for (const name of names) if (isWarcName(name) && !names.has(cdxNameOf(name))) finishCdx(directory, name);
}

interface ValidLines {
  lines: string[];
  bytes: number;
  /** The end of the last WARC record that has a line. */
  end: number;
}

/**
 * Returns the lines of a CDXJ part file up to the first line that is damaged or points outside of its WARC file
 * of `length` bytes. All later lines are not trusted.
 */
function validLines(directory: Directory, part: string, length: number): ValidLines {
  const valid: ValidLines = { lines: [], bytes: 0, end: 0 };
  if (!directory.has(part)) return valid;
  for (const line of directory.read(part).toString().split('\n')) {
    const entry = decodeCdx(line);
    if (!entry || entry.offset < valid.end || entry.offset + entry.length > length) break;
    valid.lines.push(line);
    valid.bytes += Buffer.byteLength(line) + 1;
    valid.end = entry.offset + entry.length;
  }
  return valid;
}

/**
 * Yields CDXJ lines for the records of a WARC file from `offset` to `end`. `stored` is the current file name;
 * `name` is the name that the file gets when it is finished.
 */
function* linesFrom(
  directory: Directory,
  stored: string,
  name: string,
  offset: number,
  end: number,
): Generator<string> {
  if (offset >= end) return;
  const file = directory.open(stored);
  try {
    const compression = detectCompression(file);
    if (compression === 'none') return;
    for (const located of scanMembers(file, compression, noDamage(), { offset, end })) {
      const entry = cdxEntryOf(located, name);
      if (entry) yield encodeCdx(entry);
    }
  } finally {
    file.close();
  }
}

/** Returns the CDXJ entry of a record; null for a record that has no CDXJ entry, such as a request. */
export function cdxEntryOf(located: LocatedRecord, filename: string): CdxEntry | null {
  const { record, offset, length } = located;
  const isIndexed = record.type === 'response' || record.type === 'revisit' || record.type === 'resource';
  if (!isIndexed || Number.isNaN(record.date)) return null;
  const http = httpOf(record);
  const contentType = http ? headerOf(http, 'content-type') : (record.fields.get('content-type') ?? '');
  return {
    url: record.targetUri,
    timestamp: cdxTimestamp(record.date),
    mime: record.type === 'revisit' ? REVISIT_MIME : mimeOf(contentType),
    status: http?.status ?? 0,
    digest: record.fields.get('warc-payload-digest') ?? '',
    offset,
    length,
    filename,
  };
}
