/**
 * Fuzzes the parsers of foreign bytes:
 *
 *   npm run fuzz -- --minutes 10              all targets, one after the other
 *   npm run fuzz -- --minutes 2 --only html   the targets whose names begin with this text
 *   npm run fuzz -- --minutes 1 --seed 7      other mutations
 *
 * An input that fails is written to `test/fuzz/crashers/TARGET/`. Then the test of the crashers fails until the
 * cause is fixed. Exits with 1 if an input has failed.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CRASHERS } from './crashers.ts';
import { type FuzzFailure, fuzz } from './campaign.ts';
import { FUZZ_TARGETS } from './targets.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const chosen = FUZZ_TARGETS.filter(
  ({ name }) => values.only.length === 0 || values.only.some((start) => name.startsWith(start)),
);
if (!(minutes > 0) || !Number.isSafeInteger(seed) || chosen.length === 0) {
  say('usage: npm run fuzz -- [--minutes N] [--seed N] [--only NAME]');
  say(`targets: ${FUZZ_TARGETS.map(({ name }) => name).join(' ')}`);
  process.exit(2);
}
say(`${'target'.padEnd(20)} ${'inputs'.padStart(9)} ${'code'.padStart(8)}  failures`);
let inputs = 0;
let failed = 0;
const names = chosen.map(({ name }) => name);
await fuzz(names, { seed, budgetMs: (minutes * 60_000) / chosen.length, isGuided: true }, (report) => {
  inputs += report.inputs;
  failed += report.failures.length;
  const figures = [
    report.target.padEnd(20),
    String(report.inputs).padStart(9),
    String(report.reached).padStart(8),
  ];
  say(`${figures.join(' ')}  ${report.failures.length}`);
  for (const failure of report.failures) tell(failure);
});
say(`${inputs} inputs, ${failed} failures, seed ${seed}`);
process.exitCode = failed > 0 ? 1 : 0;

function tell({ target, problem, place, input }: FuzzFailure): void {
  const folder = join(CRASHERS, target);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${createHash('sha1').update(input).digest('hex').slice(0, 12)}.bin`);
  writeFileSync(file, input);
  say(`  ${problem.split('\n', 1)[0]!.slice(0, 200)}\n    ${place}\n    ${file}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
