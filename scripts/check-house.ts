/**
 * Prints the bars of the source tree with their figures, and exits with 1 if one is missed.
 *
 *   npm run check:house
 *
 * The tests below measure and check the figures. This command runs them and prints what they report with `reportBar`.
 */
import { join } from 'node:path';
import { run } from 'node:test';
import { BAR_MARK } from '../test/helpers/bar.ts';

const ROOT = join(import.meta.dirname, '..');
const FILES = [
  'test/layers.test.ts',
  'test/exports.test.ts',
  'scripts/page-walk.test.ts',
  'scripts/prose.test.ts',
  'test/house/once.test.ts',
];

// Under a test runner, the tests would report to it instead of to this process.
delete process.env.NODE_TEST_CONTEXT;
const missed: string[] = [];
for await (const { type, data } of run({ files: FILES.map((file) => join(ROOT, file)) })) {
  if (type === 'test:diagnostic' && data.message.startsWith(BAR_MARK))
    console.log(data.message.slice(BAR_MARK.length));
  if (type === 'test:fail') missed.push(`${data.name}: ${data.details.error.cause ?? data.details.error}`);
}
for (const each of missed) console.log(`MISSED ${each}`);
console.log(missed.length === 0 ? 'all bars are kept' : `${missed.length} tests failed`);
process.exitCode = missed.length === 0 ? 0 : 1;
