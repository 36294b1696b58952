/** Reads the index entries of a URL from a data directory. */
import { silentLog } from '../../base/mod.ts';
import { IndexReader, readManifest } from '../../index/mod.ts';
import { journalFiles } from '../../journal/mod.ts';
import { inspectUrlIn } from '../../query/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import type { IndexFacts } from './inspection.ts';

export function readIndexFacts({ index, journal }: DataDirectory, url: CanonicalUrl): IndexFacts {
  const reader = new IndexReader(index, silentLog, { verifiesLater: true });
  try {
    const waitingFiles = journalFiles(journal, readManifest(index).journal).length;
    return { ...inspectUrlIn(reader.segments, url), waitingFiles };
  } finally {
    reader.close();
  }
}
