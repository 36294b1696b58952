import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const DIRECTORY = join(import.meta.dirname, '..', 'docs', 'decisions');
const MAX_RECORDS = 40;
/** The rows of tables, such as that of the dependencies, do not count. */
const MAX_LINES = 40;

const files = readdirSync(DIRECTORY).filter((name) => name !== 'README.md');

test('there are at most 40 decisions, numbered in order without gaps', () => {
  assert.ok(files.length <= MAX_RECORDS, `${files.length} records: merge two that belong together`);
  const numbers = files.map((name) => Number(name.slice(0, 4)));
  assert.deepEqual(
    numbers,
    files.map((_, at) => at + 1),
  );
});

test('no decision has more than 40 lines', () => {
  const long = files.filter((name) => {
    const lines = readFileSync(join(DIRECTORY, name), 'utf8').trimEnd().split('\n');
    return lines.filter((line) => !line.startsWith('|')).length > MAX_LINES;
  });
  assert.deepEqual(long, []);
});

test('the table of decisions has every record with its title', () => {
  const rows = files.map((name) => {
    const [, number, title] = /^# (\d+)\. (.*)$/m.exec(readFileSync(join(DIRECTORY, name), 'utf8'))!;
    return `| ${number} | [${title}](${name}) |`;
  });
  const table = readFileSync(join(DIRECTORY, 'README.md'), 'utf8').match(/^\| \d+ \|.*$/gm);
  assert.deepEqual(table, rows);
});
