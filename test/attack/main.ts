/**
 * npm run attack [-- --only NAME --short --json]
 *
 * Runs every attack against the real program while an honest host or a searcher is measured, and prints a
 * table with the limits (bars). Exits with 1 if a bar was missed. The long form takes about 20 minutes; run
 * it on an idle machine, because it measures times. `--only` takes the beginning of a name and may be
 * repeated.
 */
import { parseArgs } from 'node:util';
import type { Form, HostileClient, HostileHost } from './attack.ts';
import { judgeCrawl, judgeServe, type Row, tableOf } from './bars.ts';
import { HOSTILE_CLIENTS, HOSTILE_HOSTS } from './catalogue.ts';
import { witnessCrawl } from './crawl-witness.ts';
import { prepareSearchedData, type ServeOptions, witnessServe } from './search-witness.ts';

const SECONDS = {
  short: { crawl: 6, probeAlone: 3, probeAttacked: 4 },
  long: { crawl: 20, probeAlone: 8, probeAttacked: 15 },
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const form: Form = values.short ? 'short' : 'long';
const isChosen = ({ name }: { name: string }) =>
  values.only.length === 0 || values.only.some((beginning) => name.startsWith(beginning));
const hosts = HOSTILE_HOSTS.filter(isChosen);
const clients = HOSTILE_CLIENTS.filter(isChosen);
if (hosts.length + clients.length === 0) {
  const names = [...HOSTILE_HOSTS, ...HOSTILE_CLIENTS].map(({ name }) => name);
  process.stderr.write(
    `attack: no attack is called ${values.only.join(', ')}; there are ${names.join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  const rows = [...(await attackCrawls(hosts)), ...(await attackServers(clients))];
  process.stdout.write(`${tableOf(rows)}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  process.exitCode = rows.some(({ missed }) => missed.length > 0) ? 1 : 0;
}

/**
 * Crawls the honest host alone first. Memory is compared with the control, which has as many hosts as an
 * attack.
 */
async function attackCrawls(attacks: readonly HostileHost[]): Promise<Row[]> {
  if (attacks.length === 0) return [];
  const seconds = SECONDS[form].crawl;
  say('the honest host alone');
  const { honestRate, peakMb } = await witnessCrawl(null, { form, seconds });
  const alone = { honestRate, memoryMb: peakMb };
  const rows: Row[] = [];
  for (const attack of withControls(attacks, HOSTILE_HOSTS)) {
    say(attack.name);
    const report = await witnessCrawl(attack, { form, seconds: attack.scale[form].seconds ?? seconds });
    if (attack.isControl) alone.memoryMb = larger(alone.memoryMb, report.peakMb);
    rows.push(sayRow(judgeCrawl(attack.name, report, alone)));
  }
  return rows;
}

async function attackServers(attacks: readonly HostileClient[]): Promise<Row[]> {
  if (attacks.length === 0) return [];
  say('an index for the servers');
  const data = await prepareSearchedData();
  try {
    const ordinaryMb = { serve: null, mcp: null } as Record<HostileClient['target'], number | null>;
    const targets = new Set(attacks.map(({ target }) => target));
    const controls = HOSTILE_CLIENTS.filter(({ target }) => targets.has(target));
    const rows: Row[] = [];
    for (const attack of withControls(attacks, controls)) {
      say(attack.name);
      const report = await witnessServe(data, attack, serveOptions(attack));
      if (attack.isControl) ordinaryMb[attack.target] = report.peakMb;
      rows.push(sayRow(judgeServe(attack.name, report, larger(report.aloneMb, ordinaryMb[attack.target]))));
    }
    return rows;
  } finally {
    data.remove();
  }
}

function serveOptions({ longSeconds, leadSeconds }: HostileClient): ServeOptions {
  const { probeAlone: aloneSeconds, probeAttacked } = SECONDS[form];
  if (form === 'short') return { form, aloneSeconds, leadSeconds: 0, attackSeconds: probeAttacked };
  return { form, aloneSeconds, leadSeconds: leadSeconds ?? 0, attackSeconds: longSeconds ?? probeAttacked };
}

/** Puts the controls first, even if they were not chosen, because the attacks are compared with them. */
function withControls<Attack extends { isControl?: true }>(
  chosen: readonly Attack[],
  all: readonly Attack[],
): Attack[] {
  return [...all.filter(({ isControl }) => isControl), ...chosen.filter(({ isControl }) => !isControl)];
}

function larger(first: number | null, second: number | null): number | null {
  return first === null || second === null ? null : Math.max(first, second);
}

function sayRow(row: Row): Row {
  say(`  ${row.missed.length === 0 ? 'pass' : 'FAIL'}: ${row.detail}`);
  return row;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
