/** Writes rank files; ranks-format.ts describes the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../base/mod.ts';
import { sortedByFingerprint } from './fingerprint-order.ts';
import { RANKS_HEADER_BYTES, RANKS_KIND, ranksName } from './ranks-format.ts';
import { UintList } from './tiles/mod.ts';
import { NO_NODE } from './web-tables.ts';

interface RankFileColumns {
  /** `lows` and `highs` have the two 32-bit halves of the fingerprint of each URL. */
  lows: Uint32Array;
  highs: Uint32Array;
  /** The node of each URL; `NO_NODE` for a URL without a rank. */
  nodeOf: Uint32Array;
  ranks: Float32Array;
  /** 1 for each node that was crawled, 0 for the others. */
  crawled: Uint8Array;
}

export function writeRanks(directory: Directory, generation: number, columns: RankFileColumns): void {
  writeSealed(directory, ranksName(generation), RANKS_KIND, encode(generation, columns));
}

function encode(generation: number, columns: RankFileColumns): Buffer {
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

/**
 * Returns the URLs that have a node, sorted by fingerprint. If two URLs have the same fingerprint, the URL with
 * the higher rank is kept.
 */
function distinctUrls({ lows, highs, nodeOf, ranks }: RankFileColumns): Uint32Array {
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
