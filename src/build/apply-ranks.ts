/** Replaces the ranks, host signals and anchor texts of documents that are already in the index. */
import { CorruptError, type Directory, type Log, messageOf, silentLog } from '../base/mod.ts';
import type { AnchorTable, HostTable, LinkedText, RankTable } from '../graph/mod.ts';
import { type HostSignalsOf, IndexWriter, type RelativeRank } from '../index/mod.ts';
import { buildNames, type NamesTarget } from './lexicons/mod.ts';

/** The tables that a rank run writes: page ranks, host signals and anchor texts. */
export interface LinkTables {
  /** The rank of each page. Null if no rank run has finished yet. */
  ranks: RankTable | null;
  /** The signals of each host, such as its rank. If absent, all hosts are treated as unknown hosts. */
  hosts?: HostTable | null;
  /** The anchor texts of each page. If absent, documents keep the anchor texts that they have. */
  anchors?: AnchorTable | null;
}

interface RankedDirectories {
  index: Directory;
  /**
   * The directory for the files of suggested phrases and synonyms, which are made from anchor texts. If the index is one
   * of several shards, the file for the names of its pages, from which these files are made later.
   */
  words: NamesTarget;
}

/**
 * Writes new ranks and anchor texts of every document to files beside its segment, and commits. The postings of
 * pages are not rebuilt. Also replaces the suggested phrases and synonyms that are made from anchor texts. The caller holds the lock of the index.
 */
export function applyRanks(
  { index, words }: RankedDirectories,
  links: LinkTables,
  log: Log = silentLog,
): void {
  const writer = new IndexWriter(index, log);
  try {
    setLinks(writer, links, log);
    writer.commit();
    if (links.anchors) buildNames(writer, { index, words, textsOf: textsIn(links.anchors, log), log });
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

/**
 * Sets the ranks, host signals and anchor texts of all documents of the index. Does not commit; the caller
 * does.
 */
export function setLinks(writer: IndexWriter, { ranks, hosts, anchors }: LinkTables, log: Log): void {
  if (ranks) writer.setRanks(relativeTo(ranks), signalsIn(hosts));
  if (anchors) writer.setAnchors(textsIn(anchors, log));
}

/** The file names of a segment that was just written. */
export interface NewSegment {
  name: string;
  lexicon: string;
}

/** Adds a finished segment to the index, with the ranks, host signals and anchor texts of its documents. */
export function adoptWith(
  writer: IndexWriter,
  { name, lexicon }: NewSegment,
  links: LinkTables,
  log: Log,
): void {
  const { ranks, hosts, anchors } = links;
  const textsOf = anchors ? textsIn(anchors, log) : null;
  writer.adopt(name, ranks && relativeTo(ranks), textsOf, signalsIn(hosts), lexicon);
}

/**
 * Returns a function that reads the anchor texts of a document. If the entry of a document is damaged, the
 * function logs a warning and returns no texts.
 */
export function textsIn(anchors: AnchorTable, log: Log): (fingerprint: bigint) => LinkedText[] {
  return (fingerprint) => {
    try {
      return anchors.textsOf(fingerprint);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      log.warn('anchor texts damaged', { reason: messageOf(error), advice: 'run gyre rank' });
      return [];
    }
  };
}

/**
 * Returns a function that finds the signals of a host. Host ranks are scaled so that an average host has rank
 * 1; page ranks are scaled in the same way.
 */
function signalsIn(hosts: HostTable | null = null): HostSignalsOf {
  return (name) => {
    const signals = hosts?.signalsOf(name);
    return hosts && signals ? { ...signals, rank: signals.rank * hosts.count } : null;
  };
}

function relativeTo(ranks: RankTable): RelativeRank {
  return (fingerprint) => ranks.relativeRankOf(fingerprint);
}
