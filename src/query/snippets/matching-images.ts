/** Finds the pictures of a document that show what a query asks for, by the texts about them. */
import type { StoredDocument } from '../../index/mod.ts';
import type { Sought } from './best-window.ts';
import { shareOf, wordsIn } from './word-share.ts';

export interface MatchingImage {
  url: string;
  label: string;
  /** The share of the query's weight that the texts about the picture have; words of the label count twice. From 0 to 1. */
  match: number;
}

/** The texts about a picture must have this share of the query's weight, and this much together with the title. */
const MIN_OWN = 0.3;
const MIN_WITH_TITLE = 0.6;

export function matchingImages({ title, images = [] }: StoredDocument, sought: Sought): MatchingImage[] {
  if (images.length === 0) return [];
  const inTitle = wordsIn(title, sought);
  return images.flatMap(({ url, label, context }) => {
    const inLabel = wordsIn(label, sought);
    const own = new Set([...inLabel, ...wordsIn(context, sought)]);
    const ownShare = shareOf(own, sought);
    const isMatch = ownShare >= MIN_OWN && shareOf(new Set([...own, ...inTitle]), sought) >= MIN_WITH_TITLE;
    return isMatch ? [{ url, label, match: (2 * shareOf(inLabel, sought) + ownShare) / 3 }] : [];
  });
}
