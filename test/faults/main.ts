/**
 * npm run test:faults [-- --seed N --share 1 --workload crawl|index]
 *
 * Lets the disk fail at every operation of a crawl, and of a build with a rank run: kills, power failures with
 * three kinds of loss, EIO, a full disk and short writes. Checks after each restart that nothing was lost or
 * duplicated. Prints a JSON report; exits with 1 if a promise is broken. With a smaller share, it tests that
 * share of the operations.
 */
import { parseArgs } from 'node:util';
import { startWeb } from '../../src/synthetic-web/server.ts';
import { crawlWorkload } from './crawl-faults.ts';
import { type FaultReport, faultCampaign } from './fault-campaign.ts';
import { indexWorkload } from './index-faults.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    share: { type: 'string', default: '1' },
    workload: { type: 'string' },
  },
});
process.stderr.write(`seed ${values.seed}\n`);
const web = await startWeb({ seed: 3, hosts: 2, pages: 8 });
const reports: FaultReport[] = [];
for (const workload of [crawlWorkload(web), indexWorkload]) {
  if (values.workload !== undefined && workload.name !== values.workload) continue;
  const [seed, share] = [Number(values.seed), Number(values.share)];
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  reports.push(await faultCampaign(workload, { seed, share, say }));
}
await web.close();
process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
// A crawl that could not be opened leaves threads, which would keep this process alive.
process.exit(reports.some(({ broken }) => broken.length > 0) ? 1 : 0);
