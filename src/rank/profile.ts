/** The numbers of a ranking in one place, so that another ranking is another object. */

export interface Profile {
  /** BM25: how soon further occurrences of a word count for nothing. */
  k1: number;
  /** BM25: how much long documents are held back; 0 not at all, 1 in full proportion. */
  b: number;
  /** Per doubling of the rank by links, from an unknown page up. */
  staticWeight: number;
  /** The most that the rank by links can add. */
  staticLimit: number;
  /**
   * What the best candidates can earn on top, as a share of the query's weight (the sum of its words'
   * rarity), so that a bonus means the same for rare and for common words. None is negative: a
   * document that was looked at more closely never falls below one that was not.
   */
  proximity: number;
  order: number;
  title: number;
  /** For a home page; a quarter of it one level down, a ninth two levels down. */
  host: number;
  /** Not a share but a score, for a home page; half of it one level down, a third two levels down. */
  shallow: number;
}

export const DEFAULT_PROFILE: Profile = {
  k1: 1.2,
  b: 0.75,
  staticWeight: 0.3,
  staticLimit: 2.4,
  proximity: 0.4,
  order: 0.3,
  title: 0.8,
  host: 2,
  shallow: 0.15,
};
