/**
 * The ranks of the documents of a segment, and the signals of their hosts. On disk they are a sealed file (magic GYK1),
 * `seg-00000007.rank-00000012`, named after the generation that wrote it and never changed. Its body is:
 *
 *   rank            f32[]   per document, relative to the mean: 1 is an average page, 0 an unknown one
 *   hostRank        f32[]   per host, by its number in the document table; also relative to the mean
 *   trust           f32[]   per host, as are the next two; src/graph/hosts/host-signals.ts defines them
 *   farm            f32[]
 *   concentration   f32[]   a host that the graph does not know has 0 in all four columns
 *
 * Files of version 1 end after `rank` and have no host signals. Ranks are in a file beside their segment, so that new
 * ranks rewrite 4 bytes per document and 16 per host, and no postings.
 *
 * Example: for two documents with the ranks 1 and 0.5, on one host with the rank 2 and the trust 0.5, the file is
 * 47 59 4B 31  02 00 00 00  00 00 80 3F  00 00 00 3F  00 00 00 40  00 00 00 3F  00 00 00 00  00 00 00 00  38 67 B7 74.
 */
import { CorruptError, type Directory, type FileKind, readSealed, writeSealed } from '../../base/mod.ts';

const KIND: FileKind = { magic: 'GYK1', version: 2 };
const HOST_SIGNALS = ['rank', 'trust', 'farm', 'concentration'] as const;

/** The signals of a host. Its rank is relative to the mean. */
type HostSignalColumns = Readonly<Record<(typeof HOST_SIGNALS)[number], number>>;
/** Finds the signals of a host by its name. Returns null for an unknown host. */
export type HostSignalsOf = (host: string) => HostSignalColumns | null;
/** The signals of all hosts of a segment, one column per signal, by host number. */
export type HostColumns = Readonly<Record<keyof HostSignalColumns, Float32Array>>;

export interface RankColumns {
  ranks: Float32Array;
  hosts: HostColumns;
}

export function writeRankColumns(directory: Directory, name: string, { ranks, hosts }: RankColumns): void {
  const columns = [ranks, ...HOST_SIGNALS.map((signal) => hosts[signal])];
  writeSealed(directory, name, KIND, Buffer.concat(columns.map(bytesOf)));
}

export function readRankColumns(
  directory: Directory,
  name: string,
  docCount: number,
  hostCount: number,
): RankColumns {
  const body = readSealed(directory, name, KIND);
  const ranks = new Float32Array(docCount);
  const hosts = unknownHosts(hostCount);
  const columns = [ranks, ...HOST_SIGNALS.map((signal) => hosts[signal])];
  const expected = columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const isFirstVersion = body.length === ranks.byteLength;
  if (body.length !== expected && !isFirstVersion)
    throw new CorruptError(name, body.length, `a body of ${expected} bytes`, 'the end');
  let at = 0;
  for (const column of isFirstVersion ? [ranks] : columns) {
    bytesOf(column).set(body.subarray(at, at + column.byteLength));
    at += column.byteLength;
  }
  return { ranks, hosts };
}

/** Reads the ranks of the documents of a segment, without the host signals. */
export function readRanks(directory: Directory, name: string, docCount: number): Float32Array {
  const body = readSealed(directory, name, KIND);
  const ranks = new Float32Array(docCount);
  if (body.length < ranks.byteLength)
    throw new CorruptError(name, body.length, `the ranks of ${docCount} documents`, 'the end');
  bytesOf(ranks).set(body.subarray(0, ranks.byteLength));
  return ranks;
}

export function hostColumns(names: readonly string[], signalsOf: HostSignalsOf): HostColumns {
  const columns = unknownHosts(names.length);
  names.forEach((name, host) => {
    const signals = signalsOf(name);
    if (signals) for (const signal of HOST_SIGNALS) columns[signal][host] = signals[signal];
  });
  return columns;
}

/** Returns the signals of one host from the columns. */
export function signalsAt(columns: HostColumns, host: number): HostSignalColumns {
  const { rank, trust, farm, concentration } = columns;
  return {
    rank: rank[host]!,
    trust: trust[host]!,
    farm: farm[host]!,
    concentration: concentration[host]!,
  };
}

function unknownHosts(count: number): HostColumns {
  const column = () => new Float32Array(count);
  return { rank: column(), trust: column(), farm: column(), concentration: column() };
}

function bytesOf(column: Float32Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
