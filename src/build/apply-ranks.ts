/** New ranks, signals of hosts, and what links say, for documents that are indexed already. */
import { CorruptError, type Directory, type Log, messageOf, silentLog } from '../base/mod.ts';
import type { AnchorTable, HostTable, RankTable } from '../graph/mod.ts';
import { type AnchorTexts, type HostSignalsOf, IndexWriter, type RelativeRank } from '../index/mod.ts';

/** What a rank run has found out. */
export interface LinkTables {
  /** Null while nobody has ranked the pages. */
  ranks: RankTable | null;
  /** What links tell of hosts; without them, no host is known. */
  hosts?: HostTable | null;
  /** What links say; without them, documents keep what they have. */
  anchors?: AnchorTable | null;
}

/**
 * Writes a rank for every document, and what links say of it, beside its segment and swaps the manifest; no postings are
 * rebuilt. The caller holds the lock of the index.
 */
export function applyRanks(index: Directory, links: LinkTables, log: Log = silentLog): void {
  const writer = new IndexWriter(index, log);
  try {
    setLinks(writer, links, log);
    writer.commit(writer.journal);
    log.info('ranks applied', {
      ranks: links.ranks?.generation ?? 0,
      anchored: links.anchors?.count ?? 0,
      docs: writer.docCount,
      generation: writer.generation,
    });
  } finally {
    writer.close();
  }
}

/** The caller commits. */
export function setLinks(writer: IndexWriter, { ranks, hosts, anchors }: LinkTables, log: Log): void {
  if (ranks) writer.setRanks(relativeTo(ranks), signalsIn(hosts));
  if (anchors) writer.setAnchors(textsIn(anchors, log));
}

/** Takes a finished segment into the index, with what links tell of its documents. */
export function adoptWith(writer: IndexWriter, name: string, links: LinkTables, log: Log): void {
  const { ranks, hosts, anchors } = links;
  writer.adopt(name, ranks && relativeTo(ranks), anchors ? textsIn(anchors, log) : null, signalsIn(hosts));
}

/** A damaged entry costs its document what links say of it, and the others nothing. */
function textsIn(anchors: AnchorTable, log: Log): AnchorTexts {
  return (fingerprint) => {
    try {
      return anchors.textsOf(fingerprint);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      log.warn('anchors damaged: gyre rank makes them anew', { why: messageOf(error) });
      return [];
    }
  };
}

/** As with pages, an average host has the rank 1. */
function signalsIn(hosts: HostTable | null = null): HostSignalsOf {
  return (name) => {
    const signals = hosts?.signalsOf(name);
    return hosts && signals ? { ...signals, rank: signals.rank * hosts.count } : null;
  };
}

function relativeTo(ranks: RankTable): RelativeRank {
  return (fingerprint) => ranks.relativeRankOf(fingerprint);
}
