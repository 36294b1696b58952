/**
 * npm run bench:order — measures the order in which pages are fetched; see order.ts. Prints the share of the
 * final PageRank that the first 10 %, 20 % and so on of the pages have, for two kinds of web. Each figure is
 * the mean over several webs of the kind.
 *
 *   --pages N   number of pages of each web (5,000)
 *   --seeds N   number of webs of each kind (3)
 *   --json      prints one JSON object as the last line
 *
 * The ratios are for the first 20 % of the pages: Gyre divided by breadth-first, and Gyre divided by the
 * ideal order, which is the maximum.
 */
import { parseArgs } from 'node:util';
import { type BenchRow, report } from '../report.ts';
import { compareOrders, meanOf } from './order.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5000' },
    seeds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
const rows: BenchRow[] = [];
const ratios: Record<string, number> = {};
for (const kind of ['tree', 'tangled'] as const) {
  const webs = [];
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    webs.push(await compareOrders(kind, Math.ceil(pages / 50), pages, seed));
  }
  const orders = meanOf(webs);
  rows.push(...orders.map(({ name, curve }) => ({ name: `${kind}: ${name}`, ...curve })));
  const at20 = (name: string) => orders.find((order) => order.name === name)!.curve['20%']!;
  ratios[`${kind}MassAt20OverBreadth`] = at20('ours') / at20('breadth');
  ratios[`${kind}MassAt20OverIdeal`] = at20('ours') / at20('ideal');
}
report(rows, ratios, values.json);
