/**
 * Runs the tests of one group, or of all, in one run of Node's test runner, which ends with its own summary.
 *
 *   node scripts/run-tests.ts unit|system|browser|all [arguments for node --test]
 *
 * The files are named one by one: left to itself the runner would take every file below test/, helpers
 * too. A group without a file is an error, so that a moved folder does not pass as tested.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const GROUPS: Record<string, readonly string[]> = {
  unit: ['src/**/*.test.ts', 'test/web/*.test.ts', 'test/layers.test.ts', 'scripts/*.test.ts'],
  system: ['test/system/*.test.ts', 'bench/*/*.test.ts'],
  browser: ['test/browser/*.test.ts'],
};
/** One whole crawl, killed and restarted, fits into it with room to spare; a test that hangs does not. */
const TIMEOUT_MS = 240_000;
const FLAGS = [
  '--test',
  '--test-reporter=spec',
  '--test-concurrency=2',
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
  run(files, extra);
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

function run(files: readonly string[], extra: readonly string[]): void {
  const runner = spawn(process.execPath, [...FLAGS, ...extra, ...files], { cwd: ROOT, stdio: 'inherit' });
  const passOn = (signal: NodeJS.Signals) => void runner.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  runner.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
