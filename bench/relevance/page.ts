/** docs/relevance.md, written from what was measured. */
import { FEATURES, METRICS, type Measures, meanOf, type Profile } from '../../src/rank/mod.ts';
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
    return `### ${collection}, ${own[0]!.queries.length} queries\n\n${table(['profile', ...METRICS], rows)}`;
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

How good the ranking is, measured on collections of documents and queries that people have judged. Measures are
those of trec_eval; \`${YARDSTICK}\` is the yardstick that others report, with k1 = 0.9 and b = 0.4 over title and text alike.
All rankings see the same terms: what the analyser of the index made of the words.

\`\`\`sh
npm run bench:relevance -- --collections DIR
\`\`\`

makes these tables again. \`gyre eval\` measures an index of your own, \`gyre tune\` fits the weights to your own judgements.

## The mean over the collections

Each collection counts the same. p is the chance to see such a difference from \`${YARDSTICK}\`, over all queries, if there
were none (paired randomisation test).

${table(['profile', ...METRICS, ...p], means)}

## By collection

${tables.join('\n\n')}

## On collections that were left out

Weights that fit these collections need not fit others. So the weights of \`default\` were fitted to all collections but one, by
the method of \`gyre tune\`, and judged on that one; each collection was left out once. Where the right half is no better than
the left, fitting finds nothing that holds elsewhere, and the weights as they are leave nothing to gain that way.

${heldOutTable(heldOut)}

## The profiles

${profiles.map(({ name, about }) => `- \`${name}\`: ${about}`).join('\n')}

\`bm25, no function words\` is the yardstick on queries without words like *the* and *which*.

## The features of \`default\`

What the second stage looks at, and what each feature is worth. The best ${own.candidates} matches get a glance, at what needs no
positions; the best ${own.close} of those get all. All but \`text\`, \`pairs\` and \`feedback\` are from 0 to 1. A weight of 0 means that it
did not help. These collections have neither links nor dates: what such features are worth was set by hand, and the
[sample web](decisions/0027-sample-web.md) holds them to it.

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
  return table(['feature', 'weight', 'it is high if'], rows);
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
  return table(head, [...rows, ['mean', ...mean('before'), ...mean('after')]]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function shownP(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
