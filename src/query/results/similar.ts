/**
 * Collapses near duplicates in a ranked list: one of them is listed, and the others become its `similar` documents.
 *
 * Documents are compared by their signatures (src/index/signature.ts), so no text is read, and the list does
 * not depend on the number of shards. The documents that are not listed can still be found with `site:`, or by
 * words that the listed document lacks.
 *
 * Among near duplicates, the document with the best `urlFit` is listed, at the place of the first of them. For
 * example, an English page below `/en/` is listed, and not its untranslated copy below `/da/`. If several have
 * the same fit, the one with the highest score is listed.
 */
import { areNearDuplicates, type Signature } from '../../index/mod.ts';
import { hostOfRanked, type RankedDocument } from './candidate-list.ts';

interface Collapsed {
  documents: RankedDocument[];
  /** For each listed document, its near duplicates in the order of the list. */
  similar: Map<RankedDocument, RankedDocument[]>;
}

export function collapseNearDuplicates(ranked: readonly RankedDocument[]): Collapsed {
  const groups = new Map<RankedDocument, RankedDocument[]>();
  for (const namesakes of withEqualHeadlines(ranked)) addGroups(namesakes, groups);
  const similar = new Map<RankedDocument, RankedDocument[]>();
  if (groups.size === 0) return { documents: [...ranked], similar };
  const documents: RankedDocument[] = [];
  for (const document of ranked) {
    const group = groups.get(document);
    if (!group) documents.push(document);
    else if (group[0] === document) {
      const shown = representativeOf(group);
      const others = group.filter((other) => other !== shown);
      similar.set(shown, others);
      documents.push(shown);
    }
  }
  return { documents, similar };
}

/**
 * Returns the groups of two or more documents with the same headline. Only documents of one group are compared.
 * Most headlines occur once and form no group.
 */
function withEqualHeadlines(ranked: readonly RankedDocument[]): RankedDocument[][] {
  const firsts = new Map<number, RankedDocument>();
  const several = new Map<number, RankedDocument[]>();
  for (const document of ranked) {
    const headline = document.list.headlineOf(document.at);
    if (headline === 0) continue;
    const first = firsts.get(headline);
    if (!first) {
      firsts.set(headline, document);
      continue;
    }
    const namesakes = several.get(headline);
    if (namesakes) namesakes.push(document);
    else several.set(headline, [first, document]);
  }
  return [...several.values()];
}

/** Finds groups of near duplicates among documents with the same headline. Maps each member of a group to the group. */
function addGroups(
  namesakes: readonly RankedDocument[],
  groups: Map<RankedDocument, RankedDocument[]>,
): void {
  const firsts: { signature: Signature; host: string; group: RankedDocument[] }[] = [];
  for (const document of namesakes) {
    const signature = document.list.signatureOf(document.at);
    const host = hostOfRanked(document);
    const known = firsts.find((first) => areNearDuplicates(first.signature, signature, first.host === host));
    if (!known) {
      firsts.push({ signature, host, group: [document] });
      continue;
    }
    known.group.push(document);
    for (const member of known.group) groups.set(member, known.group);
  }
}

function representativeOf(documents: readonly RankedDocument[]): RankedDocument {
  const fitOf = ({ list, at }: RankedDocument) => list.urlFitOf(at);
  return documents.reduce((best, document) => (fitOf(document) > fitOf(best) ? document : best));
}
