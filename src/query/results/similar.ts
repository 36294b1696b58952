/**
 * Collapses near duplicates in a ranked list: the list has one of them, and names the others.
 *
 * Documents are compared by their signatures (src/index/signature.ts), so no text is read, and the list does not depend
 * on the number of shards. A near duplicate is not lost: it is in the index, and can be found by its own words or
 * with `site:`.
 *
 * The document with the best `urlFit` represents its near duplicates, at the place of the first of them: for example the
 * copy in the language of its directory, not an untranslated copy in the directory of another language. Among documents
 * with equal fit it is the one with the highest score.
 */
import { areNearDuplicates, headlineOf, type Signature } from '../../index/mod.ts';
import { hostOfRanked, type RankedDocument } from './candidate-list.ts';

interface Collapsed {
  documents: RankedDocument[];
  /** By representative: its near duplicates, in the order of the list. */
  similar: Map<RankedDocument, RankedDocument[]>;
}

interface Group {
  signature: Signature;
  host: string;
  documents: RankedDocument[];
}

export function collapseNearDuplicates(ranked: readonly RankedDocument[]): Collapsed {
  const byHeadline = new Map<number, Group[]>();
  const groups = ranked.flatMap((document) => {
    const signature = document.list.signatureOf(document.at);
    const host = hostOfRanked(document);
    const namesakes = byHeadline.get(headlineOf(signature)) ?? [];
    const known = namesakes.find((group) =>
      areNearDuplicates(group.signature, signature, group.host === host),
    );
    if (known) {
      known.documents.push(document);
      return [];
    }
    const group = { signature, host, documents: [document] };
    byHeadline.set(headlineOf(signature), [...namesakes, group]);
    return [group.documents];
  });
  const similar = new Map<RankedDocument, RankedDocument[]>();
  const documents = groups.map((group) => {
    const first = representativeOf(group);
    if (group.length > 1)
      similar.set(
        first,
        group.filter((document) => document !== first),
      );
    return first;
  });
  return { documents, similar };
}

function representativeOf(documents: readonly RankedDocument[]): RankedDocument {
  const fitOf = ({ list, at }: RankedDocument) => list.urlFitOf(at);
  return documents.reduce((best, document) => (fitOf(document) > fitOf(best) ? document : best));
}
