/**
 * Tests the continuous crawl of a job portal: what the export says about postings that open, change and close, beside
 * the truth of the portal. The clock of the portal moves by one interval between two rounds of visits, so the test does
 * not depend on the speed of the machine.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openExistingData } from '../../src/cli/data-directory.ts';
import { beginRecordExport } from '../../src/cli/records/mod.ts';
import {
  planWeb,
  type Posting,
  postingsBetween,
  type SyntheticWeb,
  startWeb,
} from '../../src/synthetic-web/mod.ts';
import { portalOptions } from '../../examples/jobs/portal.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

const INTERVAL_MS = 3_600_000;
const SLOTS = 24;
const ROUNDS = 7;
const RAISE = 150;
/** All pages are due in every round. */
const ALWAYS_DUE = {
  ...{ delay: '2ms', revisitFirst: '1ms', revisitMin: '1ms', revisitMax: '1ms', revisitsPerDay: 1000 },
};

interface Row {
  urls: string[];
  facts: { identifier?: string[]; salary: { amount: number }[] };
  firstSeen: string;
  lastSeen: string;
  closed?: string;
  closedReason?: string;
}

/** The real time of a round of visits. */
interface Round {
  startedAt: number;
  endedAt: number;
  /** The time of the round by the clock of the portal. */
  now: number;
}

/** A posting that was open in a round, with the first and the last of these rounds. */
interface Known {
  posting: Posting;
  first: Round;
  last: Round;
  firstAmount: number;
}

test('the export has each posting of a portal once, with when it was seen and closed', async (context) => {
  const { web, clock } = await startPortal(context);
  const options = crawlOptions(temporaryDirectory(context), ALWAYS_DUE);
  const seeds = web.seeds.filter((seed) => seed.includes('//jobs-'));
  const all = new Map<string, Known>();
  let closedCount = 0;
  for (let number = 0; number < ROUNDS; number++) {
    const { time: now } = clock;
    const round = { startedAt: Date.now(), endedAt: 0, now };
    const { code, stderr } = await gyre(['crawl', ...options, '--revisit', 'on', ...seeds]);
    assert.equal(code, 0, stderr);
    round.endedAt = Date.now();
    const rows = rowsByIdentifier(await exportedRows(options[1]!, clock));
    for (const posting of postingsBetween(web.plan.truth.jobPortal, { fromMs: now, toMs: now })) {
      const firstAmount = rows.get(posting.identifier)?.facts.salary[0]?.amount ?? 0;
      const known = all.get(posting.identifier) ?? { posting, first: round, last: round, firstAmount };
      all.set(posting.identifier, { ...known, last: round });
    }
    for (const known of all.values()) {
      const row = rows.get(known.posting.identifier);
      const { identifier, slot, closesAt } = known.posting;
      const what = `round ${number}, ${identifier}, ${slot.ending}: ${JSON.stringify(row)}`;
      assert.ok(row, what);
      checkSeen(row, known, round, what);
      if (now < closesAt) assert.equal(row.closed, undefined, what);
      if (now >= closesAt + 2 * INTERVAL_MS) {
        assert.ok(row.closed, what);
        assert.equal(row.closedReason, slot.ending, what);
        closedCount++;
      }
    }
    clock.time += INTERVAL_MS;
  }
  context.diagnostic(`${all.size} postings, ${closedCount} checks of closed ones`);
  assert.ok(all.size > SLOTS && closedCount > SLOTS);
  assert.ok(
    web.log.entries().some(({ status }) => status === 304),
    'some pages were unchanged',
  );
});

async function startPortal(
  context: TestContext,
): Promise<{ web: SyntheticWeb; clock: { time: number; now(): number } }> {
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
  const features = { jobPortal: SLOTS };
  const web = await startWeb(
    { seed: 5, hosts: 1, pages: 1, features, tuning: { portalPeriodMs: INTERVAL_MS } },
    { clock },
  );
  context.after(() => web.close());
  return { web, clock };
}

/** Checks the times of a posting, and its salary while it is open. */
function checkSeen(row: Row, { posting, first, last, firstAmount }: Known, round: Round, what: string): void {
  const { slot, changesAt } = posting;
  const [firstSeen, lastSeen] = [Date.parse(row.firstSeen), Date.parse(row.lastSeen)];
  assert.ok(firstSeen >= first.startedAt && firstSeen <= first.endedAt, `first seen: ${what}`);
  // The archive has seconds, and the page of a closed posting may be there for ever.
  const latest = slot.ending === 'gone' ? last : round;
  assert.ok(lastSeen >= latest.startedAt - 1000 && lastSeen <= latest.endedAt, `last seen: ${what}`);
  if (last !== round) return;
  const isRaised = first.now < changesAt && round.now >= changesAt;
  assert.equal(row.facts.salary[0]!.amount, isRaised ? firstAmount + RAISE : firstAmount, what);
}

function rowsByIdentifier(rows: readonly Row[]): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const identifier = row.facts.identifier?.[0] ?? '';
    assert.ok(identifier !== '' && !found.has(identifier), `two rows for a posting: ${JSON.stringify(row)}`);
    found.set(identifier, row);
  }
  return found;
}

async function exportedRows(data: string, clock: { now(): number }): Promise<Row[]> {
  const { parts } = await beginRecordExport(openExistingData(data), {
    ...{ format: 'jsonl', type: 'JobPosting', since: null, hasHistory: true, clock },
  });
  const text = Buffer.concat([...parts])
    .toString()
    .trimEnd();
  return text.split('\n').map((line) => JSON.parse(line) as Row);
}

test('the example crawls its portal until it is interrupted, and its table has every posting once', async (context) => {
  const data = temporaryDirectory(context);
  const startedAt = Date.now();
  const main = join(import.meta.dirname, '../../examples/jobs/main.ts');
  const options = ['--data', data, '--interval', '1', '--port', '0'];
  const example = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => example.kill('SIGTERM'));
  const ended = once(example, 'exit');
  let [printed, told] = ['', ''];
  example.stderr.on('data', (chunk) => {
    told += chunk;
  });
  for await (const chunk of example.stdout) {
    printed += chunk;
    // A posting has opened, another one has closed.
    if (/^ {2}\+ /m.test(printed) && /^ {2}- .*\((?:gone|expired|unlisted)\)$/m.test(printed)) break;
  }
  example.kill('SIGINT');
  const [code] = await ended;
  assert.equal(code, 0, `${printed}\n${told}`);
  assert.match(printed, /search at http/);
  const lines = readFileSync(join(data, 'jobs.jsonl'), 'utf8').trimEnd().split('\n');
  // A posting whose copy alone is known has no identifier yet, but all its URLs end with it.
  const rows = lines.map((line) => JSON.parse(line) as Row);
  const identifiers = rows.map(({ urls }) => [...new Set(urls.map(identifierIn))].join(' '));
  assert.equal(new Set(identifiers).size, rows.length, `${identifiers}`);
  const { jobPortal } = planWeb(portalOptions(1000)).truth;
  const cycleMs = Math.max(...jobPortal.map((slot) => slot.cycleMs));
  const span = { fromMs: startedAt - cycleMs, toMs: Date.now() };
  const expected = new Set(postingsBetween(jobPortal, span).map(({ identifier }) => identifier));
  for (const identifier of identifiers) assert.ok(expected.has(identifier), identifier);
});

function identifierIn(url: string): string {
  return new URL(url).pathname.split('/').at(-1)!;
}
