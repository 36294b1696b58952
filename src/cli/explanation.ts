/** Renders the breakdown of a result's score as text: the contribution of each feature, the largest first. */
import type { FeatureShare, ScoreBreakdown, TermScore } from '../scoring/mod.ts';

/** Renders a score breakdown. Features that contribute nothing are listed together on one line. */
export function explanationText(breakdown: ScoreBreakdown | null): string {
  if (!breakdown) return '   (not among the candidates of the second stage)';
  const { total, is, shares, terms } = breakdown;
  const shown =
    is === 'product'
      ? shares
      : shares.filter(({ share }) => share !== 0).toSorted((a, b) => b.share - a.share);
  const silent = shares.filter((share) => !shown.includes(share)).map(({ feature }) => feature);
  const words = terms.map(wordText).join(', ');
  return [
    `   score ${digits(total)} ${is === 'sum' ? `is the sum of${scaleText(shares)}` : 'is the product of'}`,
    ...shown.map((share) => shareLine(share, is)),
    ...(silent.length === 0 ? [] : [`     ${'0'.padStart(10)}  ${silent.join(', ')}`]),
    ...(words === '' ? [] : [`     words: ${words}`]),
    ...(breakdown.byMeaning ? ['     found by its meaning: the page has none of the words'] : []),
  ].join('\n');
}

/**
 * Returns a text with the common factor of all shares, which is the total weight of the query terms. Returns
 * the empty string if the factor is 1.
 */
function scaleText(shares: readonly FeatureShare[]): string {
  const telling = shares.find(({ share }) => share !== 0);
  const scale = telling ? telling.share / (telling.weight * telling.value) : 1;
  return Math.abs(scale - 1) < 1e-9 ? '' : `, each times ${digits(scale)}, the weight of the query`;
}

/** Renders a term with its score, and its synonyms with their weights: `upenn 1.2 (as penn × 0.7)`. */
function wordText({ term, score, votes, synonyms = [] }: TermScore): string {
  const others = synonyms.map((other) => `${other.term} × ${digits(other.weight)}`).join(', ');
  return `${term} ${digits(score)}${others === '' ? '' : ` (as ${others})`}${votesText(votes)}`;
}

function shareLine({ feature, value, weight, share }: FeatureShare, is: ScoreBreakdown['is']): string {
  const why = is === 'sum' ? `  weight ${digits(weight)} × value ${digits(value)}` : '';
  return `     ${digits(share).padStart(10)}  ${feature.padEnd(18)}${why}`.trimEnd();
}

/** Renders the number of anchor-text votes for a term; empty if there are none. */
function votesText(votes: number): string {
  return votes > 0 ? ` (by links: ${digits(votes)} votes)` : '';
}

/** Formats a number with four significant digits. */
function digits(value: number): string {
  return String(Number(value.toPrecision(4)));
}
