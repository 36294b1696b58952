/** Writes rank files; see ranks-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../base/mod.ts';
import { sortedByFingerprint } from './fingerprint-order.ts';
import { RANKS_HEADER_BYTES, RANKS_KIND, ranksName } from './ranks-format.ts';
import { UintList } from './uint-list.ts';
import { NO_NODE } from './web-tables.ts';

export interface RankColumns {
  /** Halves of the fingerprint of each URL. */
  lows: Uint32Array;
  highs: Uint32Array;
  /** Its node, or `NO_NODE`, in which case it has no rank. */
  nodeOf: Uint32Array;
  /** The rank of each node. */
  ranks: Float32Array;
  /** For each node 1 if it was crawled. */
  crawled: Uint8Array;
}

export function writeRanks(directory: Directory, generation: number, columns: RankColumns): void {
  writeSealed(directory, ranksName(generation), RANKS_KIND, encode(generation, columns));
}

function encode(generation: number, columns: RankColumns): Buffer {
  const { lows, highs, nodeOf, ranks, crawled } = columns;
  const urls = distinctUrls(columns);
  const writer = new ByteWriter(RANKS_HEADER_BYTES + urls.length * 17);
  writer.u32(generation);
  writer.u32(urls.length);
  for (const url of urls) {
    writer.u32(lows[url]!);
    writer.u32(highs[url]!);
  }
  for (const url of urls) writer.f32(ranks[nodeOf[url]!]!);
  for (const url of urls) writer.u32(nodeOf[url]!);
  for (const url of urls) writer.u8(crawled[nodeOf[url]!]!);
  return writer.view();
}

/** URLs with a node, by fingerprint. Two with one fingerprint cannot be told apart; the better one counts. */
function distinctUrls({ lows, highs, nodeOf, ranks }: RankColumns): Uint32Array {
  const urls = new UintList();
  let last = -1;
  for (const url of sortedByFingerprint(lows, highs)) {
    if (nodeOf[url] === NO_NODE) continue;
    if (last >= 0 && lows[last] === lows[url] && highs[last] === highs[url]) {
      if (ranks[nodeOf[url]!]! > ranks[nodeOf[last]!]!) urls.replaceLast(url);
      else continue;
    } else {
      urls.push(url);
    }
    last = url;
  }
  return urls.view();
}
