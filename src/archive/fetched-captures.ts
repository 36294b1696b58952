/**
 * Lets synchronous code, which may run in another thread, read captures that are not in files of this machine.
 * The code is run again and again, until everything that it needs was fetched:
 *
 *   run -> needs the captures of a URL, or a record -> fetch -> run again
 *
 * Most code needs the list of captures and one record, so it runs three times, and only the last run parses a page.
 */
import { CorruptError, type RandomFile } from '../base/mod.ts';
import type { CaptureReader } from './archive-reader.ts';
import type { CdxEntry } from './cdx/mod.ts';
import { type ArchivedRecord, readRecordIn } from './warc/mod.ts';

/** Captures that have to be fetched before they can be read. */
export interface RemoteCaptures {
  /** Returns all captures of a URL, newest first. */
  find(url: string): Promise<CdxEntry[]>;
  /** Returns the compressed record of a capture. */
  record(entry: CdxEntry): Promise<Uint8Array>;
}

/** The captures and records that were fetched so far. They can be sent to another thread. */
export interface FetchedCaptures {
  captures: Map<string, CdxEntry[]>;
  records: Map<string, Uint8Array>;
}

/** A request of the synchronous code: the list of captures of a URL, or one record. */
export interface CaptureNeed {
  kind: 'needs';
  need: { url: string } | { entry: CdxEntry };
}

/** The maximum number of runs. Even a comparison of two unchanged pages needs only ten. */
const MAX_RUNS = 32;

class CaptureNeeded extends Error {
  readonly need: CaptureNeed['need'];

  constructor(need: CaptureNeed['need']) {
    super('a capture has to be fetched');
    this.need = need;
  }
}

/**
 * Runs `work` over the fetched captures. Returns its result or, if it needs something that is not fetched yet,
 * this need.
 */
export function readFetched<Result>(
  fetched: FetchedCaptures,
  work: (reader: CaptureReader) => Result,
): Result | CaptureNeed {
  try {
    return work(new FetchedReader(fetched));
  } catch (error) {
    if (error instanceof CaptureNeeded) return { kind: 'needs', need: error.need };
    throw error;
  }
}

/** Calls `run`, fetches what it needs, and repeats this until `run` returns a result. */
export async function fetchAndRun<Result extends { kind: string }>(
  remote: RemoteCaptures,
  run: (fetched: FetchedCaptures) => Promise<Result | CaptureNeed>,
): Promise<Result> {
  const fetched: FetchedCaptures = { captures: new Map(), records: new Map() };
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    const result = await run(fetched);
    if (!isNeed(result)) return result;
    const { need } = result;
    if ('url' in need) fetched.captures.set(need.url, await remote.find(need.url));
    else fetched.records.set(keyOf(need.entry), await remote.record(need.entry));
  }
  throw new Error(`the captures of a page were not complete after ${MAX_RUNS} runs`);
}

function isNeed(result: { kind: string }): result is CaptureNeed {
  return result.kind === 'needs';
}

class FetchedReader implements CaptureReader {
  readonly #fetched: FetchedCaptures;

  constructor(fetched: FetchedCaptures) {
    this.#fetched = fetched;
  }

  find(url: string): CdxEntry[] {
    const found = this.#fetched.captures.get(url);
    if (!found) throw new CaptureNeeded({ url });
    return found;
  }

  read(entry: CdxEntry): ArchivedRecord {
    const bytes = this.#fetched.records.get(keyOf(entry));
    if (!bytes) throw new CaptureNeeded({ entry });
    const { filename, offset, url } = entry;
    const record = readRecordIn(fileOf(filename, bytes), 0);
    if (record.targetUri !== url)
      throw new CorruptError(filename, offset, `a record of ${url}`, record.targetUri);
    return record;
  }

  tryRead(entry: CdxEntry): ArchivedRecord | null {
    try {
      return this.read(entry);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      return null;
    }
  }
}

function keyOf({ filename, offset }: CdxEntry): string {
  return `${filename} ${offset}`;
}

/** Returns bytes as a file. */
function fileOf(name: string, bytes: Uint8Array): RandomFile {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    name,
    size: all.length,
    read: (position, length) => all.subarray(position, position + length),
    close: () => {},
  };
}
