/**
 * Runs the tests of one group, or of all, in one run of Node's test runner, which ends with its own summary.
 *
 *   node scripts/run-tests.ts unit|system|browser|all [arguments for node --test]
 *
 * The files are named one by one: left to itself the runner would take every file below test/, helpers
 * too. A group without a file is an error, so that a moved folder does not pass as tested.
 *
 * A few files that fail are run once more, one by one on the now idle machine: what fails then too is
 * broken. What passes then is named at the end, for it depends on what else the machine does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const GROUPS: Record<string, readonly string[]> = {
  unit: ['src/**/*.test.ts', 'test/web/*.test.ts', 'test/layers.test.ts', 'scripts/*.test.ts'],
  system: ['test/system/*.test.ts', 'bench/*/*.test.ts'],
  browser: ['test/browser/*.test.ts'],
};
/** One whole crawl, killed and restarted, fits into it with room to spare; a test that hangs does not. */
const TIMEOUT_MS = 240_000;
/** More than that are no accident. */
const MAX_AGAIN = 3;
const FLAGS = [
  '--test',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${join(import.meta.dirname, 'failed-files.ts')}`,
  `--test-timeout=${TIMEOUT_MS}`,
  // The limit above is a test's, not a file's: one that failed and left a crawl running would keep the run alive.
  '--test-force-exit',
  '--disable-warning=ExperimentalWarning',
];

const [group, ...extra] = process.argv.slice(2);
const files = filesOf(group ?? '');
if (files === null) {
  console.error(
    `usage: node scripts/run-tests.ts ${Object.keys(GROUPS).join('|')}|all [arguments for node --test]`,
  );
  process.exitCode = 2;
} else {
  const failed = await run(files, ['--test-concurrency=2', ...extra]);
  if (failed.length > 0 && failed.length <= MAX_AGAIN) await runAgain(failed, extra);
}

/** The test files of the group; null if there is no such group. Exits if there is, but without files. */
function filesOf(name: string): string[] | null {
  if (name === 'all') return Object.keys(GROUPS).flatMap((each) => filesOf(each) ?? []);
  const patterns = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined;
  if (!patterns) return null;
  const found = globSync(patterns, { cwd: ROOT }).sort();
  if (found.length > 0) return found;
  console.error(`no test files for "${name}": expected ${patterns.join(', ')}`);
  process.exit(1);
}

/** Runs them, sets the exit code, and tells the files in which a test failed. */
async function run(files: readonly string[], extra: readonly string[]): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-run-tests-'));
  const list = join(directory, 'failed');
  const args = [...FLAGS, `--test-reporter-destination=${list}`, ...extra, ...files];
  // Hundreds of commands are started, and two thirds of each start is compiling what the one before has compiled.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, '.cache') };
  const runner = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  const passOn = (signal: NodeJS.Signals) => void runner.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  const [code, signal] = await once(runner, 'exit');
  process.off('SIGINT', passOn).off('SIGTERM', passOn);
  process.exitCode = code ?? 1;
  const failed = code === 0 || signal ? [] : readFileSync(list, 'utf8').split('\n').filter(Boolean);
  rmSync(directory, { recursive: true });
  return failed.map((file) => relative(ROOT, file));
}

async function runAgain(failed: readonly string[], extra: readonly string[]): Promise<void> {
  console.log(`\nagain, one by one: ${failed.join(', ')}\n`);
  await run(failed, ['--test-concurrency=1', ...extra]);
  if (process.exitCode === 0) console.log(`\nfailed at first, passed alone: ${failed.join(', ')}`);
}
