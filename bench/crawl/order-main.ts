/**
 * npm run bench:order — the order in which pages are fetched; see order.ts. Prints the share of the final PageRank that
 * the first tenth, two tenths … of the pages hold, for two kinds of web. Each figure is the mean over several webs of
 * the kind.
 *
 *   --pages N   pages of each web (5,000)
 *   --seeds N   webs of each kind (3)
 *   --json      one JSON object as the last line
 *
 * Ratios at 20 % of the pages: ours over breadth-first, and ours over the ideal, which is the maximum.
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
