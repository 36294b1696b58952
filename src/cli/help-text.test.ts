import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInvocation } from './arguments.ts';
import { COMMANDS } from './command-table.ts';
import { commandHelp, overview } from './help-text.ts';

test('the overview fits into 80 columns', () => {
  for (const line of overview().split('\n')) assert.ok(line.length <= 80, line);
});

test('the help of each command has its name, and running text fits into 80 columns', async () => {
  for (const { name, load } of COMMANDS) {
    const command = await load();
    assert.equal(command.name, name);
    for (const line of commandHelp(command).split('\n'))
      assert.ok(line.length <= 80 || !line.trim().includes(' ') || line.startsWith('  gyre '), line);
  }
});

test('every command has examples, and they can be parsed', async () => {
  for (const { name, load } of COMMANDS) {
    const command = await load();
    assert.ok(command.examples?.length, name);
    for (const example of command.examples ?? []) {
      const [program, typed, ...args] = wordsOf(example);
      assert.deepEqual([program, typed], ['gyre', name]);
      parseInvocation(command, args, {});
    }
  }
});

test('an unknown option is answered with the nearest one', async () => {
  const crawl = await COMMANDS.find(({ name }) => name === 'crawl')!.load();
  assert.throws(() => parseInvocation(crawl, ['--dealy', '2s'], {}), /'--dealy'; did you mean --delay\?/);
  assert.throws(() => parseInvocation(crawl, ['--colour'], {}), /'--colour'; see gyre crawl --help/);
});

/** Splits a command line as a shell does, with single quotes as the only kind of quotes. */
function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/'([^']*)'|(\S+)/g), (match) => match[1] ?? match[2]!);
}
