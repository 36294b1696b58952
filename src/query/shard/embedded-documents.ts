/** Counts the documents that have a vector and can be found by meaning, and the documents that can get one. */
import { DocumentKind, kindOf, type OpenSegment } from '../../index/mod.ts';

interface LanguageCounts {
  docs: number;
  embedded: number;
}

const knownCounts = new WeakMap<OpenSegment, ReadonlyMap<string, LanguageCounts>>();

/**
 * Returns the number of live documents that have a vector (`embedded`), and the number of live documents that
 * have a vector or can get one (`embeddable`). A document can get a vector if it is not a feed, and if some
 * document in its language has a vector. The index does not store which languages the model supports.
 */
export function countEmbedded(segments: readonly OpenSegment[]): { embedded: number; embeddable: number } {
  const all = new Map<string, LanguageCounts>();
  for (const segment of segments)
    for (const [language, { docs, embedded }] of countsIn(segment)) {
      const sum = all.get(language) ?? { docs: 0, embedded: 0 };
      all.set(language, { docs: sum.docs + docs, embedded: sum.embedded + embedded });
    }
  const known = [...all.values()].filter(({ embedded }) => embedded > 0);
  return {
    embedded: known.reduce((sum, { embedded }) => sum + embedded, 0),
    embeddable: known.reduce((sum, { docs }) => sum + docs, 0),
  };
}

/** Counts the documents of a segment by language tag. The counts are cached, because an open segment never changes. */
function countsIn(segment: OpenSegment): ReadonlyMap<string, LanguageCounts> {
  const known = knownCounts.get(segment);
  if (known) return known;
  const { reader, deletes, vectors } = segment;
  const { table } = reader;
  const counts = table.languages.map(() => ({ docs: 0, embedded: 0 }));
  const isFeed = table.types.map((type) => kindOf(type) === DocumentKind.feed);
  for (let doc = 0; doc < reader.docCount; doc++) {
    if (deletes.has(doc) || isFeed[table.typeOf[doc]!]) continue;
    const count = counts[table.languageOf[doc]!]!;
    count.docs++;
    if (vectors?.has(doc)) count.embedded++;
  }
  const byLanguage = new Map(table.languages.map((language, at) => [language, counts[at]!]));
  knownCounts.set(segment, byLanguage);
  return byLanguage;
}
