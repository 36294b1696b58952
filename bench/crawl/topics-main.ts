/**
 * npm run bench:topics — measures the order of topical crawls on two kinds of web (topics.ts), and compares two
 * classifiers of topics (classifiers.ts). Prints the recall after 10 %, 20 % and so on of the pages; each figure is
 * the mean over several webs.
 *
 *   --pages N     number of pages with topics of each web, which has as many other pages (900)
 *   --seeds N     number of webs of each kind (3)
 *   --chart FILE  draws the recall on the web with scattered topics as SVG
 *   --json        prints one JSON object as the last line
 *
 * The ratios are for the first 20 % of the pages: the harvest of Gyre divided by that of the other orders.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drawLines } from '../page/chart.ts';
import { type BenchRow, report } from '../report.ts';
import { compareClassifiers } from './classifiers.ts';
import { meanOf, type OrderRow } from './order.ts';
import { compareTopicOrders, labelledPages } from './topics.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '900' },
    seeds: { type: 'string', default: '3' },
    chart: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
const rows: BenchRow[] = [];
const ratios: Record<string, number> = {};
for (const kind of ['scatteredTopic', 'topic'] as const) {
  const webs = [];
  for (let seed = 1; seed <= Number(values.seeds); seed++)
    webs.push(await compareTopicOrders(kind, pages, seed));
  const orders = meanOf(webs);
  rows.push(...orders.map(({ name, curve }) => ({ name: `${kind}: ${name}`, ...curve })));
  const at20 = (name: string) => orders.find((order) => order.name === name)!.curve['20%']!;
  ratios[`${kind}HarvestAt20OverBreadth`] = at20('ours') / at20('breadth');
  ratios[`${kind}HarvestAt20OverBestFirst`] = at20('ours') / at20('best-first');
  if (kind === 'scatteredTopic' && values.chart) writeFileSync(values.chart, chartOf(orders));
}
for (const count of [5, 10, 20]) {
  const { examples, others } = labelledPages(pages, count);
  for (const { name, accuracy, loss } of compareClassifiers(examples, others))
    rows.push({ name: `${count} examples: ${name}`, accuracy, loss });
}
report(rows, ratios, values.json);

function chartOf(orders: readonly OrderRow[]): string {
  const pointsOf = ({ curve }: OrderRow) =>
    Object.entries(curve).map(([step, recall]): [number, number] => [
      Number.parseInt(step, 10),
      recall * 100,
    ]);
  return drawLines({
    title: 'Pages on the topic that a topical crawl has fetched',
    unit: '% of all pages on the topic',
    across: '% of all pages fetched',
    series: orders.map((order) => ({ name: order.name, points: pointsOf(order) })),
  });
}
