/** Finds the pictures of a document that match a query, by their labels and the text around them. */
import type { StoredDocument } from '../../index/mod.ts';
import type { Sought } from './best-window.ts';
import { shareOf, wordsIn } from './word-share.ts';

export interface MatchingImage {
  url: string;
  label: string;
  /**
   * How well the picture matches, from 0 to 1: the share of the query's word weight in its label and surrounding
   * text. Words of the label count more.
   */
  match: number;
}

/**
 * The minimum share of the query's word weight that the texts of a picture must have: `MIN_OWN` without the
 * title of its page, `MIN_WITH_TITLE` together with the title.
 */
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
