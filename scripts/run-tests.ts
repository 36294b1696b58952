/**
 * Runs the tests of one group, or of all groups, in one run of Node's test runner, which prints its own
 * summary.
 *
 *   node scripts/run-tests.ts unit|system|browser|all [arguments for node --test]
 *
 * The files are passed one by one: by default the runner would take every file below test/, including
 * helpers. A group without files is an error, so that a moved folder does not count as tested. A failed file
 * is not run again, because a test that depends on the load of the machine is a bug.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const GROUPS: Record<string, readonly string[]> = {
  unit: [
    'src/**/*.test.ts',
    'test/attack/*.test.ts',
    'test/fuzz/*.test.ts',
    'test/deploy/*.test.ts',
    'test/*.test.ts',
    'scripts/*.test.ts',
  ],
  system: ['test/system/*.test.ts', 'bench/*/*.test.ts'],
  browser: ['test/browser/*.test.ts'],
};
/** The time limit of a test. It is long enough for a crawl that is killed and restarted. */
const TIMEOUT_MS = 240_000;
/**
 * The process of a test file can stay alive after its tests have ended, for example if a failed test left a
 * server open. The run of all tests is ended when no test has reported a result for this time. The option
 * `--test-force-exit` is not used, because it loses results under load.
 */
const SILENCE_MS = TIMEOUT_MS + 60_000;
const FLAGS = [
  '--test',
  '--test-reporter=spec',
  '--test-concurrency=2',
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
  // Packages are installed before the first test. Otherwise a test could load a package that another test has only
  // half installed.
  if (files.some((file) => file.startsWith('bench'))) (await import('../bench/rivals.ts')).ensurePackages();
  await run(files, extra);
}

/**
 * Returns the test files of the group; null if there is no such group. Ends the process with an error if the
 * group has no files.
 */
function filesOf(name: string): string[] | null {
  if (name === 'all') return Object.keys(GROUPS).flatMap((each) => filesOf(each) ?? []);
  const patterns = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined;
  if (!patterns) return null;
  const found = globSync(patterns, { cwd: ROOT }).sort();
  if (found.length > 0) return found;
  console.error(`no test files for "${name}": expected ${patterns.join(', ')}`);
  process.exit(1);
}

async function run(files: readonly string[], extra: readonly string[]): Promise<void> {
  const args = [...FLAGS, ...extra, ...files];
  // Search by meaning is off, because otherwise every engine that a test starts would load the model and
  // compute vectors; the tests of meaning turn it on. The compile cache is on, because hundreds of commands are
  // started and each would spend two thirds of its start-up time on compiling the same code.
  const off = { GYRE_MEANING_MODEL: 'off' };
  // The advice in messages begins with `npx` if npm started the program. Tests see the same messages however they are started.
  const { npm_command: _, ...inherited } = process.env;
  const env = { ...off, ...inherited, NODE_COMPILE_CACHE: join(ROOT, '.cache') };
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
  const [code] = await once(runner, 'close');
  clearTimeout(watchdog);
  process.off('SIGINT', passOn).off('SIGTERM', passOn);
  process.exitCode = code ?? 1;
}
