/**
 * Reads a ranking in parts: the files that `fetchRankedParts` has brought to one directory for each part. A look-up asks
 * one part after the other, because the part of a fingerprint is not known.
 */
import type { Directory } from '../../base/mod.ts';
import { type AnchorTable, openAnchors } from '../anchors/mod.ts';
import { type HostTable, openHosts } from '../hosts/mod.ts';
import { openRanks, type RankTable } from '../ranks-reader.ts';

interface RankedParts {
  ranks: RankTable;
  anchors: AnchorTable;
  hosts: HostTable;
  close(): void;
}

/**
 * Opens the newest ranking in the directories of all parts, of a graph of `nodeCount` nodes. Returns null if there is none.
 * Rank files of more than `residentBytes` bytes together are read from disk at each look-up.
 */
export function openRankedParts(
  directories: readonly Directory[],
  nodeCount: number,
  residentBytes = Number.POSITIVE_INFINITY,
): RankedParts | null {
  const ranks = directories.map((directory) => openRanks(directory, residentBytes / directories.length));
  const anchors = directories.map((directory) => openAnchors(directory));
  const hosts = directories[0] ? openHosts(directories[0]) : null;
  if (hosts === null || ranks.includes(null) || anchors.includes(null)) return null;
  const present = {
    ranks: ranks.filter((each) => each !== null),
    anchors: anchors.filter((each) => each !== null),
  };
  const close = () => {
    for (const table of [...present.ranks, ...present.anchors]) table.close();
  };
  return { ranks: joinRanks(present.ranks, nodeCount), anchors: joinAnchors(present.anchors), hosts, close };
}

function joinRanks(tables: readonly RankTable[], nodeCount: number): RankTable {
  const rankOf = (fingerprint: bigint) =>
    tables.reduce((rank, table) => (rank > 0 ? rank : table.rankOf(fingerprint)), 0);
  return {
    generation: tables[0]!.generation,
    count: tables.reduce((sum, { count }) => sum + count, 0),
    rankOf,
    relativeRankOf: (fingerprint) => rankOf(fingerprint) * nodeCount,
  };
}

function joinAnchors(tables: readonly AnchorTable[]): AnchorTable {
  return {
    generation: tables[0]!.generation,
    count: tables.reduce((sum, { count }) => sum + count, 0),
    textsOf: (fingerprint) => {
      for (const table of tables) {
        const texts = table.textsOf(fingerprint);
        if (texts.length > 0) return texts;
      }
      return [];
    },
    *entries() {
      for (const table of tables) yield* table.entries();
    },
    close: () => {
      for (const table of tables) table.close();
    },
  };
}
