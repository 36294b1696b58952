/** Writes docs/relevance.md from the measurements of bench:relevance. */

import { FEATURES } from '../../src/scoring/features.ts';
import { METRICS, type Measures, meanOf, type Profile } from '../../src/scoring/mod.ts';
import { markdownTable } from '../markdown-table.ts';
import type { HeldOut } from './held-out.ts';
import type { ProfileMeasures } from './measure.ts';
import { meanOver, profilesOf, significance, YARDSTICK } from './rows.ts';

export function relevancePage(
  measures: readonly ProfileMeasures[],
  profiles: readonly Profile[],
  heldOut: readonly HeldOut[],
): string {
  const collections = [...new Set(measures.map(({ collection }) => collection))];
  const names = profilesOf(measures);
  const own = profiles.find(({ name }) => name === 'default')!;
  const tables = collections.map((collection) => {
    const own = measures.filter((one) => one.collection === collection);
    const rows = own.map(({ profile, mean }) => [
      profile,
      ...METRICS.map((metric) => mean[metric].toFixed(4)),
    ]);
    return `### ${collection}, ${own[0]!.queries.length} queries\n\n${markdownTable(['profile', ...METRICS], rows)}`;
  });
  const means = names.map((name) => {
    const mean = meanOver(measures, name);
    return [
      name,
      ...METRICS.map((metric) => mean[metric].toFixed(4)),
      name === YARDSTICK ? '' : shownP(significance(measures, name, 'nDCG@10')),
      name === YARDSTICK ? '' : shownP(significance(measures, name, 'MAP')),
    ];
  });
  const p = ['p (nDCG@10)', 'p (MAP)'];
  return `# Relevance

<!-- Written by npm run bench:relevance -- --write; edit bench/relevance/page.ts. -->

This page has the measured quality of each ranking profile, on test collections with judged queries. The measures are
those of trec_eval. The baseline is \`${YARDSTICK}\`, with k1 = 0.9 and b = 0.4 over title and text together, as in published
results. All profiles use the same terms, made by the analyser of the index.

This command writes the tables again:

\`\`\`sh
npm run bench:relevance -- --collections DIR --write
\`\`\`

\`gyre eval\` measures an index of your own, and \`gyre tune\` fits the weights to your own judgements.

## The mean over the collections

Each collection has the same weight. p is the probability of such a difference from \`${YARDSTICK}\` over all queries if the two
were equally good (paired randomisation test).

${markdownTable(['profile', ...METRICS, ...p], means)}

## By collection

${tables.join('\n\n')}

## Cross-validation

Weights that fit these collections may not fit others. Therefore the weights of \`default\` were fitted, with the
method of \`gyre tune\`, to all collections but one, and measured on the one left out; each collection was left out once.
Where the fitted weights are no better than the default weights, fitting finds nothing that holds for other collections.

${heldOutTable(heldOut)}

## The profiles

${profiles.map(({ name, about }) => `- \`${name}\`: ${about}`).join('\n')}

\`bm25, no function words\` is the baseline on queries without words such as *the* and *which*.

## The features of \`default\`

The second stage computes these features. For the best ${own.candidates} matches it computes the features that need no positions, and for
the best ${own.close} of those all features. All features except \`text\`, \`pairs\` and \`feedback\` are between 0 and 1. A weight
of 0 means that the feature did not help. The collections have neither links nor dates, so the weights of features that
need them were set by hand; tests on the [sample web](decisions/0003-sample-web.md) check them.

${featureTable(profiles)}
`;
}

function featureTable(profiles: readonly Profile[]): string {
  const own = profiles.find(({ name }) => name === 'default')!;
  const rows = Object.entries(FEATURES).map(([name, about]) => [
    `\`${name}\``,
    String(own.weights[name] ?? 0),
    about,
  ]);
  return markdownTable(['feature', 'weight', 'high if'], rows);
}

function heldOutTable(heldOut: readonly HeldOut[]): string {
  const figures = ({ 'nDCG@10': ndcg, MAP }: Measures) => [ndcg.toFixed(4), MAP.toFixed(4)];
  const rows = heldOut.map(({ collection, before, after }) => [
    collection,
    ...figures(before),
    ...figures(after),
  ]);
  const mean = (when: 'before' | 'after') => figures(meanOf(heldOut.map((one) => one[when])));
  const head = ['collection', 'nDCG@10', 'MAP', 'nDCG@10, fitted to the others', 'MAP, fitted to the others'];
  return markdownTable(head, [...rows, ['mean', ...mean('before'), ...mean('after')]]);
}

function shownP(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
