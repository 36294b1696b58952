/**
 * Builds two files from the names of pages: anchor texts to suggest, and synonyms found in titles and anchor
 * texts. Both are replaced after each rank run, because only a rank run changes anchor texts.
 *
 *   anchors of the link graph -> anchor texts of live pages -> phrases, synonyms
 *   lexicons of the segments  -> names of live pages        -> synonyms
 *
 * The caller holds the lock of the index.
 */
import type { Directory, Log } from '../../base/mod.ts';
import type { LinkedText } from '../../graph/mod.ts';
import type { IndexWriter } from '../../index/mod.ts';
import {
  importanceOf,
  MAX_PHRASES,
  type NamesPart,
  PhraseGatherer,
  PhraseUse,
  type SegmentLexicon,
  SynonymMiner,
  USE_BITS,
  writeNamesPart,
  writePhrases,
  writeSynonyms,
} from '../../lexicon/mod.ts';
import { lexiconOrNone } from './segment-lexicons.ts';

const ANCHOR_WEIGHT = 2;
/** Number of anchor texts that are used for each page: the texts with the largest weights. */
const ANCHORS_TAKEN = 3;
/**
 * The least weight of an anchor text that is used to find synonyms. Most anchor texts below it are from links
 * within one domain, which weigh a quarter and often lead to a section of a page.
 */
const MIN_FOREIGN_WEIGHT = 0.5;

/** The directory in which the files of phrases and synonyms are written, or the file for the names of one shard. */
export type NamesTarget = Directory | { directory: Directory; part: string };

interface NamesOptions {
  index: Directory;
  words: NamesTarget;
  textsOf: (fingerprint: bigint) => LinkedText[];
  log: Log;
}

export function buildNames(writer: IndexWriter, options: NamesOptions): void {
  const { words } = options;
  const { phrases, miner, docs } = gatherNames(writer, options);
  if ('part' in words) {
    const part: NamesPart = { docs, phrases: phrases.finish(), counts: miner.counts };
    writeNamesPart(words.directory, words.part, part);
    return;
  }
  const origin = { generation: writer.generation, docs };
  writePhrases(words, origin, phrases.finish());
  writeSynonyms(words, origin, miner.finish());
}

function gatherNames(writer: IndexWriter, { index, textsOf, log }: NamesOptions) {
  const phrases = new PhraseGatherer(MAX_PHRASES);
  const miner = new SynonymMiner();
  let docs = 0;
  for (const { reader, deletes, columns, entry } of writer.segments) {
    const lexicon = entry.lexicon ? lexiconOrNone(index, entry.lexicon, reader.docCount, log) : null;
    const nameOf = namesIn(lexicon);
    for (const [doc, fingerprint] of reader.table.fingerprints.entries()) {
      if (deletes.has(doc)) continue;
      docs++;
      const texts = textsOf(fingerprint);
      const importance = importanceOf(columns?.ranks[doc] ?? 0);
      for (const { text, weight } of texts.slice(0, ANCHORS_TAKEN))
        phrases.add(text, ANCHOR_WEIGHT * weight * importance);
      const fromOthers = texts.filter(({ weight }) => weight >= MIN_FOREIGN_WEIGHT);
      const name = nameOf(doc);
      if (name !== '' || fromOthers.length > 0) miner.add([name, ...fromOthers.map(({ text }) => text)]);
    }
  }
  return { phrases, miner, docs };
}

/**
 * Returns a function that finds the title of a document without the name of the site, or the empty string if
 * the document has no title.
 */
function namesIn(lexicon: SegmentLexicon | null): (doc: number) => string {
  if (!lexicon) return () => '';
  const { useEnds, usedBy } = lexicon.phrases;
  const phraseOf = new Int32Array(lexicon.docCount).fill(-1);
  for (let at = 0, use = 0; at < lexicon.phraseCount; at++) {
    for (; use < useEnds[at]!; use++)
      if (usedBy[use]! & PhraseUse.name) phraseOf[usedBy[use]! >>> USE_BITS] = at;
  }
  return (doc) => (phraseOf[doc]! < 0 ? '' : lexicon.phraseAt(phraseOf[doc]!).text);
}
