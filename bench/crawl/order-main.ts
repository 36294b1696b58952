/**
 * npm run bench:order — which pages come first; see order.ts. Prints the share of the final PageRank
 * that the first tenth, two tenths … of the pages hold, for two kinds of web.
 *
 *   --pages N   pages of each web (5,000)
 *   --json      one JSON object as the last line
 */
import { parseArgs } from 'node:util';
import { type BenchRow, report } from '../report.ts';
import { compareOrders } from './order.ts';

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '5000' }, json: { type: 'boolean', default: false } },
});
const pages = Number(values.pages);
const rows: BenchRow[] = [];
const ratios: Record<string, number> = {};
for (const kind of ['tree', 'tangled'] as const) {
  const orders = await compareOrders(kind, Math.ceil(pages / 50), pages);
  rows.push(...orders.map(({ name, curve }) => ({ name: `${kind}: ${name}`, ...curve })));
  const at20 = (name: string) => orders.find((order) => order.name === name)!.curve['20%']!;
  ratios[`${kind}MassAt20OverBreadth`] = at20('ours') / at20('breadth');
}
report(rows, ratios, values.json);
