/**
 * Runs the tests of one group, or of all groups, in one run of Node's test runner, which prints its own
 * summary.
 *
 *   node scripts/run-tests.ts unit|system|browser|all [arguments for node --test]
 *
 * The files are passed one by one: by default the runner would take every file below test/, including
 * helpers. A group without files is an error, so that a moved folder does not pass as tested.
 *
 * If a few files fail, they are run once more, one by one on the now idle machine. A file that fails again is
 * broken. A file that passes is named at the end, because it depends on the load of the machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const GROUPS: Record<string, readonly string[]> = {
  unit: [
    'src/**/*.test.ts',
    'test/attack/*.test.ts',
    'test/layers.test.ts',
    'test/exports.test.ts',
    'scripts/*.test.ts',
  ],
  system: ['test/system/*.test.ts', 'bench/*/*.test.ts'],
  browser: ['test/browser/*.test.ts'],
};
/** Long enough for one whole crawl that is killed and restarted; a test that hangs exceeds it. */
const TIMEOUT_MS = 240_000;
/** If more files fail, the cause is not the load of the machine. */
const MAX_AGAIN = 3;
/**
 * A file whose tests have ended can stay alive through something that a failed test left open. The run is ended when no
 * test has reported for this long. `--test-force-exit` is no alternative: under load it loses results.
 */
const SILENCE_MS = TIMEOUT_MS + 60_000;
const FLAGS = [
  '--test',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${join(import.meta.dirname, 'failed-files.ts')}`,
  `--test-timeout=${TIMEOUT_MS}`,
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
  // Installed before the first test: a test that loads a package while another installs it finds half of it.
  if (files.some((file) => file.startsWith('bench'))) (await import('../bench/rivals.ts')).ensurePackages();
  const failed = await run(files, ['--test-concurrency=2', ...extra]);
  if (failed.length > 0 && failed.length <= MAX_AGAIN) await runAgain(failed, extra);
}

/** Returns the test files of the group; null if there is no such group. Exits if the group has no files. */
function filesOf(name: string): string[] | null {
  if (name === 'all') return Object.keys(GROUPS).flatMap((each) => filesOf(each) ?? []);
  const patterns = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined;
  if (!patterns) return null;
  const found = globSync(patterns, { cwd: ROOT }).sort();
  if (found.length > 0) return found;
  console.error(`no test files for "${name}": expected ${patterns.join(', ')}`);
  process.exit(1);
}

/** Runs the files, sets the exit code, and returns the files in which a test failed. */
async function run(files: readonly string[], extra: readonly string[]): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-run-tests-'));
  const list = join(directory, 'failed');
  const args = [...FLAGS, `--test-reporter-destination=${list}`, ...extra, ...files];
  // Hundreds of commands are started, and two thirds of each start is spent on compiling the same code.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, '.cache') };
  const runner = spawn(process.execPath, args, { cwd: ROOT, stdio: ['inherit', 'pipe', 'inherit'], env });
  const watchdog = setTimeout(() => {
    console.error(`no test has reported for ${SILENCE_MS / 1000} s; the run is ended`);
    runner.kill('SIGINT');
  }, SILENCE_MS);
  runner.stdout.on('data', (bytes: Uint8Array) => {
    watchdog.refresh();
    process.stdout.write(bytes);
  });
  const passOn = (signal: NodeJS.Signals) => void runner.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  const [code, signal] = await once(runner, 'close');
  clearTimeout(watchdog);
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
