/** Exports the newest captures of chosen URLs as WACZ, for example those of a list of results. */
import { UsageError } from '../base/mod.ts';
import { writeWacz } from './archive-export.ts';
import type { ArchiveReader } from './archive-reader.ts';
import { findOriginal, interpretRecord, mayHaveMeaning } from './archived-page.ts';
import { type CdxEntry, encodeCdx, parseCdxTimestamp, REVISIT_MIME, sortCdx } from './cdx/mod.ts';

/** The maximum size of the records, which are in memory during the export. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

interface ListOptions {
  reader: ArchiveReader;
  pages: readonly { url: string; title: string }[];
  software: string;
  now: number;
  write(bytes: Uint8Array): Promise<void>;
}

/** Writes the file. Returns the URLs that have no capture. */
export async function exportCapturesAsWacz({ reader, pages, ...rest }: ListOptions): Promise<string[]> {
  const missing: string[] = [];
  const lines: string[] = [];
  const files = new Map<string, { parts: Buffer[]; sizeBytes: number }>();
  const listed: { url: string; title: string; fetchedAt: number }[] = [];
  const seen = new Set<string>();
  let sizeBytes = 0;
  for (const { url, title } of pages) {
    const captures = capturesOf(reader, url);
    if (captures.length === 0) missing.push(url);
    else listed.push({ url, title, fetchedAt: parseCdxTimestamp(captures[0]!.timestamp) });
    for (const entry of captures) {
      if (seen.has(placeOf(entry))) continue;
      seen.add(placeOf(entry));
      sizeBytes += entry.length;
      if (sizeBytes > MAX_LIST_BYTES)
        throw new UsageError('too-large', 'the records of these pages are too large: export fewer results');
      // Both compressions may occur in one archive, but not in one WARC file.
      const name = entry.filename.endsWith('.zst') ? 'results.warc.zst' : 'results.warc.gz';
      const file = files.get(name) ?? { parts: [], sizeBytes: 0 };
      files.set(name, file);
      lines.push(encodeCdx({ ...entry, filename: name, offset: file.sizeBytes }));
      file.parts.push(reader.readStored(entry));
      file.sizeBytes += entry.length;
    }
  }
  const stored = [...files].map(([name, { parts }]) => ({ name, content: () => parts }));
  await writeWacz({ ...rest, files: stored, cdx: sortCdx(lines), pages: listed });
  return missing;
}

/** Returns the newest capture of a page, and the earlier capture with its body if the newest has none. */
function capturesOf(reader: ArchiveReader, url: string): CdxEntry[] {
  const newest = reader.find(url).find((entry) => mayHaveMeaning(entry) && entry.status !== 404);
  if (!newest) return [];
  if (newest.mime !== REVISIT_MIME) return [newest];
  const record = reader.tryRead(newest);
  const meaning = record && interpretRecord(record, newest.url as Parameters<typeof interpretRecord>[1]);
  const original = meaning?.kind === 'revisit' ? findOriginal(reader, meaning) : null;
  return original ? [newest, original] : [newest];
}

function placeOf({ filename, offset }: CdxEntry): string {
  return `${filename} ${offset}`;
}
