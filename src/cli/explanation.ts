/** A score with its reasons, for people: each feature's share, the largest first. */
import type { FeatureShare, ScoreBreakdown, TermScore } from '../rank/mod.ts';

/** Features that add nothing share a line. */
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
  ].join('\n');
}

/** In our own model shares are of what the words of the query weigh, which is the same factor for all. */
function scaleText(shares: readonly FeatureShare[]): string {
  const telling = shares.find(({ share }) => share !== 0);
  const scale = telling ? telling.share / (telling.weight * telling.value) : 1;
  return Math.abs(scale - 1) < 1e-9 ? '' : `, each times ${digits(scale)}, what the query weighs`;
}

/** `upenn 1.2 (as penn × 0.7)`: a synonym is named with what it counts for. */
function wordText({ term, score, votes, synonyms = [] }: TermScore): string {
  const others = synonyms.map((other) => `${other.term} × ${digits(other.weight)}`).join(', ');
  return `${term} ${digits(score)}${others === '' ? '' : ` (as ${others})`}${votesText(votes)}`;
}

function shareLine({ feature, value, weight, share }: FeatureShare, is: ScoreBreakdown['is']): string {
  const why = is === 'sum' ? `  weight ${digits(weight)} × value ${digits(value)}` : '';
  return `     ${digits(share).padStart(10)}  ${feature.padEnd(18)}${why}`.trimEnd();
}

/** What links to the page add to a word; nothing if they do not say it. */
function votesText(votes: number): string {
  return votes > 0 ? ` (by links: ${digits(votes)} votes)` : '';
}

/** Four digits, whatever the size. */
function digits(value: number): string {
  return String(Number(value.toPrecision(4)));
}
