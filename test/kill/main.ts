/**
 * npm run test:kill [-- --kills 20 --seed N --hosts 60 --pages 3000]
 *
 * Kills a crawl of the synthetic web with SIGKILL at random moments and checks that nothing was lost,
 * duplicated or impolite. Prints the seed first, and a JSON report last. If a guarantee was violated, exits
 * with 1 and keeps the data for inspection.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killCampaign } from '../helpers/kill-campaign.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    hosts: { type: 'string', default: '60' },
    pages: { type: 'string', default: '3000' },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'gyre-kill-'));
const say = (line: string) => void process.stderr.write(`${line}\n`);
say(`seed ${values.seed}, in ${directory}`);
const report = await killCampaign({
  seed: Number(values.seed),
  kills: Number(values.kills),
  hosts: Number(values.hosts),
  pages: Number(values.pages),
  directory,
  say,
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
if (report.broken.length === 0) rmSync(directory, { recursive: true });
if (report.broken.length > 0 || report.crawlKills < Number(values.kills)) process.exitCode = 1;
