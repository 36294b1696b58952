/**
 * Builds the files of names that depend on links: anchor texts for suggestions, and synonyms from titles and anchor
 * texts. A rank run replaces both, because only a rank run changes anchor texts.
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
  PhraseGatherer,
  PhraseUse,
  type SegmentLexicon,
  SynonymMiner,
  USE_BITS,
  writePhrases,
  writeSynonyms,
} from '../../lexicon/mod.ts';
import { lexiconOrNone } from './segment-lexicons.ts';

const MAX_PHRASES = 1_000_000;
const ANCHOR_WEIGHT = 2;
/** Anchor texts used per page, the heaviest first. */
const ANCHORS_TAKEN = 3;
/**
 * Anchor texts with less weight are not used to find synonyms. Most of them are from links within a domain, which weigh
 * a quarter and often lead to a section of a page.
 */
const MIN_FOREIGN_WEIGHT = 0.5;

interface NamesOptions {
  index: Directory;
  /** The directory of the files. */
  words: Directory;
  textsOf: (fingerprint: bigint) => LinkedText[];
  log: Log;
}

export function buildNames(writer: IndexWriter, { index, words, textsOf, log }: NamesOptions): void {
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
  const origin = { generation: writer.generation, docs };
  writePhrases(words, origin, phrases.finish());
  writeSynonyms(words, origin, miner.finish());
}

/** Returns a function that finds the title of a document without the name of the site; empty if it has none. */
function namesIn(lexicon: SegmentLexicon | null): (doc: number) => string {
  if (!lexicon) return () => '';
  const phraseOf = new Int32Array(lexicon.docCount).fill(-1);
  for (let at = 0, use = 0; at < lexicon.phraseCount; at++) {
    for (; use < lexicon.useEnds[at]!; use++)
      if (lexicon.usedBy[use]! & PhraseUse.name) phraseOf[lexicon.usedBy[use]! >>> USE_BITS] = at;
  }
  return (doc) => (phraseOf[doc]! < 0 ? '' : lexicon.phraseAt(phraseOf[doc]!).text);
}
