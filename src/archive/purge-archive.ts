/**
 * Deletes the captures of some URLs from the archive, so that none of their bytes is left in it.
 *
 *   records that stay -> x.warc.gz.part -> new CDXJ file -> x.warc.gz.part replaces x.warc.gz
 *
 * A WARC file without such captures is not changed. After a crash between the last two steps, the CDXJ file does
 * not match the WARC file, which still has the captures: purging again repairs both. Therefore the caller repeats
 * an interrupted purge before it reads the archive.
 *
 * Only finished WARC files are read: the caller holds the lock of the crawl and has finished the file that grew.
 */
import { type AppendFile, CorruptError, type Directory, partOf } from '../base/mod.ts';
import { type CdxEntry, decodeCdx } from './cdx/mod.ts';
import {
  cdxNameOf,
  detectCompression,
  isWarcName,
  type LocatedRecord,
  noDamage,
  rewriteCdx,
  scanMembers,
} from './warc/mod.ts';

interface ArchivePurge {
  /** Number of WARC files that were written again. */
  files: number;
  /** Number of records that were deleted. */
  records: number;
}

const REFERS_TO = 'warc-refers-to-target-uri';

/**
 * Deletes every record whose URL, or the URL of the capture that it refers to, is purged. A revisit record has
 * no body of its own, so it is useless without the capture to which it refers.
 */
export async function purgeArchive(
  directory: Directory,
  isPurged: (url: string) => boolean,
): Promise<ArchivePurge> {
  const report = { files: 0, records: 0 };
  const mustGo = ({ record }: LocatedRecord) =>
    isPurged(record.targetUri) || isPurged(record.fields.get(REFERS_TO) ?? '');
  for (const name of directory.list().filter(isWarcName)) {
    const records = await purgeFile(directory, name, mustGo);
    if (records === 0) continue;
    report.files++;
    report.records += records;
  }
  return report;
}

/** Returns the captures of a finished WARC file, from its CDXJ file. */
export function capturesOfFile(directory: Directory, name: string): CdxEntry[] {
  const lines = directory.read(cdxNameOf(name)).toString().split('\n');
  return lines.flatMap((line) => decodeCdx(line) ?? []);
}

/** Rewrites one WARC file; returns the number of deleted records. */
async function purgeFile(
  directory: Directory,
  name: string,
  mustGo: (located: LocatedRecord) => boolean,
): Promise<number> {
  const ranges = rangesOf(directory, name, mustGo);
  if (ranges.length === 0) return 0;
  const part = directory.append(partOf(name), 0);
  try {
    copyWithout(directory, name, ranges, part);
    await part.sync();
  } finally {
    part.close();
  }
  rewriteCdx(directory, partOf(name), name);
  directory.rename(partOf(name), name);
  return ranges.length;
}

interface Range {
  offset: number;
  length: number;
}

function rangesOf(directory: Directory, name: string, mustGo: (located: LocatedRecord) => boolean): Range[] {
  const file = directory.open(name);
  try {
    const compression = detectCompression(file);
    if (compression === 'none') throw new CorruptError(name, 0, 'a compressed WARC file', 'something else');
    const ranges: Range[] = [];
    for (const located of scanMembers(file, compression, noDamage())) {
      if (!mustGo(located)) continue;
      const { offset, length } = located;
      if (length === 0) throw new CorruptError(name, offset, 'a record compressed alone', 'several records');
      ranges.push({ offset, length });
    }
    return ranges;
  } finally {
    file.close();
  }
}

const CHUNK = 1024 * 1024;

function copyWithout(directory: Directory, name: string, ranges: readonly Range[], part: AppendFile): void {
  const file = directory.open(name);
  const copy = (from: number, to: number) => {
    for (let at = from; at < to; at += CHUNK) part.write(file.read(at, Math.min(CHUNK, to - at)));
  };
  try {
    let at = 0;
    for (const { offset, length } of ranges) {
      copy(at, offset);
      at = offset + length;
    }
    copy(at, file.size);
  } finally {
    file.close();
  }
}
