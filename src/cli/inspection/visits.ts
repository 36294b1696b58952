/**
 * Finds the visits of a URL in the crawl log and in the archive. A capture and a line of the log are of one visit if
 * they have the same second and status; the log may have lost its oldest lines, and imports have no line.
 *
 * Cost: reads the whole crawl log, at most 128 MiB.
 */
import { ArchiveReader, type CdxEntry, cdxTimestamp, parseCdxTimestamp } from '../../archive/mod.ts';
import type { Directory } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { RecordedVisit } from './inspection.ts';

const LOGS = ['crawl.log.1', 'crawl.log'];

/** Returns the visits, newest first. */
export function readVisits(root: Directory, archive: Directory, url: CanonicalUrl): RecordedVisit[] {
  const captures = root.has('archive') ? capturesOf(archive, url) : [];
  const visits = logLines(root, url).map((line): RecordedVisit => {
    const at = captures.findIndex(
      ({ timestamp, status }) => timestamp === cdxTimestamp(line.time) && status === line.status,
    );
    const [capture] = at < 0 ? [] : captures.splice(at, 1);
    return { ...line, record: capture ? recordOf(capture) : null };
  });
  return [...visits, ...visitsOfCaptures(captures)].sort((a, b) => b.time - a.time);
}

/** Returns the visits of captures of which there is no line in a crawl log. */
export function visitsOfCaptures(captures: readonly CdxEntry[]): RecordedVisit[] {
  return captures.map((entry) => ({
    time: parseCdxTimestamp(entry.timestamp),
    status: entry.status,
    log: null,
    record: recordOf(entry),
  }));
}

function capturesOf(archive: Directory, url: CanonicalUrl): CdxEntry[] {
  const reader = new ArchiveReader(archive);
  try {
    return reader.find(url);
  } finally {
    reader.close();
  }
}

function recordOf(entry: CdxEntry): NonNullable<RecordedVisit['record']> {
  const { timestamp, filename, offset, length, mime } = entry;
  return { at: timestamp, file: filename, offset, length, type: mime };
}

function logLines(root: Directory, url: CanonicalUrl): Omit<RecordedVisit, 'record'>[] {
  const wanted = `"url":${JSON.stringify(url)},`;
  return LOGS.filter((name) => root.has(name))
    .flatMap((name) => root.read(name).toString().split('\n'))
    .filter((line) => line.includes(wanted))
    .flatMap(parseLine);
}

/** Parses a line of the crawl log. A line that was truncated by a crash gives an empty list. */
function parseLine(line: string): Omit<RecordedVisit, 'record'>[] {
  try {
    const { time, status, state, reason, bytes, ms } = JSON.parse(line);
    return [{ time: Date.parse(time), status, log: { state, reason, bytes, ms } }];
  } catch {
    return [];
  }
}
