/**
 * Tests the first steps of a newcomer: the demonstration from an empty directory to a search page, and a
 * second start after Ctrl-C.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { SearchResponse } from '../../src/query/mod.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { turnedByRanks } from '../helpers/namesakes.ts';

/**
 * The time limit in seconds from an empty directory to a ready search page. If the machine is busy with other
 * tests, seconds of processor time are counted instead.
 */
const READY_SECONDS = 60;

test('the demonstration is ready within a minute, responds, ends cleanly and continues', async (context) => {
  const data = temporaryDirectory(context);
  const startedAt = Date.now();
  const first = new Gyre(['up', '--data', data, '--port', '0']);
  context.after(() => first.child.kill('SIGKILL'));
  const [, address] = await first.printed(/search at (http:\S+)/);
  const [, docs] = await first.printed(/ready: (\d+) documents/);
  const seconds = Math.min((Date.now() - startedAt) / 1000, processorSeconds(first.child.pid!));
  assert.ok(seconds < READY_SECONDS, `${seconds} s`);
  const [, hosts, pages] = await first.printed(/sample web of (\d+) hosts and (\d+) pages/);
  assert.ok(Number(hosts) >= 200, `${hosts} hosts`);
  // All pages are indexed except the pages of the directory of packages, which have `noindex`.
  assert.ok(Number(docs) > 0.95 * Number(pages), `${docs} of ${pages} pages are indexed`);

  const answer = (await (await fetch(`${address}/api/v1/search?q=http+client`)).json()) as SearchResponse;
  const { cursor, ...rest } = answer;
  assert.equal(typeof cursor, 'string', 'there is more than one page');
  const names = ['facets', 'notes', 'partial', 'query', 'results', 'tookMs', 'total'];
  assert.deepEqual(Object.keys(rest).sort(), names);
  assert.ok(answer.total > 10 && !answer.partial);
  for (const field of ['url', 'title', 'snippet', 'host', 'score'])
    assert.ok(field in answer.results[0]!, field);
  const ranks = answer.results.map((result) => result.host.startsWith('undici.'));
  assert.ok(ranks.indexOf(true) >= 0 && ranks.indexOf(true) < 3, 'undici is among the first results');

  const page = await (await fetch(`${address}/search?q=http+client`)).text();
  assert.equal(page.match(/<mark>/g) === null, false, 'snippets are highlighted');
  const icons = [...page.matchAll(/src="(\/icon\/[^"]*)"/g)].map(([, path]) => `${address}${path}`);
  const types = await Promise.all(icons.map(async (icon) => (await fetch(icon)).headers.get('content-type')));
  const pictures = types.filter((type) => type === 'image/png');
  assert.ok(pictures.length >= 3, `sites have icons of their own: ${types}`);
  const status = await gyre(['status', '--data', data, '--json']);
  assert.equal(JSON.parse(status.stdout).index.docCount, Number(docs));

  const inspected = await gyre(['inspect', '--data', data, answer.results[0]!.url]);
  assert.match(inspected.stdout, /rule +index \(default\)/, 'the page is in the scope of the crawl');

  for (const command of readmeExamples(data)) {
    const { code, stdout, stderr } = await gyre(command);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\S/, command.join(' '));
    if (command[0] === 'search') assert.doesNotMatch(stdout, /^0 documents/, 'the example finds something');
  }

  const ended = await first.kill('SIGINT');
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(
    ended.stderr,
    /\nstopping: .+ saved; .+\nstopped: .+ saved, and gyre up --data \S+ continues\n$/,
  );
  const second = new Gyre(['up', '--data', data, '--port', '0']);
  context.after(() => second.child.kill('SIGKILL'));
  const [, again] = await second.printed(/search at (http:\S+)/);
  const later = (await (await fetch(`${again}/api/v1/search?q=http+client`)).json()) as SearchResponse;
  assert.deepEqual(
    later.results.map((result) => result.url),
    answer.results.map((result) => result.url),
  );
  await second.printed(/ready: \d+ documents/);
  assert.equal((await second.kill('SIGINT')).code, 0);

  await assertRanksDecide(data);
});

/**
 * Checks that a package with many dependents ranks above packages with a similar name and few dependents, and that
 * the order is different without the ranks.
 */
async function assertRanksDecide(data: string): Promise<void> {
  const turned = await turnedByRanks(data);
  const forUsed = turned.filter(({ usersAbove, usersBelow }) => usersAbove > usersBelow);
  const against = turned.filter(({ usersAbove, usersBelow }) => usersAbove < usersBelow);
  const lines = turned.map((one) => Object.values(one).join(' ')).join('\n');
  assert.ok(forUsed.length >= 5, `few are lifted by ranks:\n${lines}`);
  assert.ok(forUsed.length > 2 * against.length, `the wrong ones are lifted by ranks:\n${lines}`);
}

/**
 * Returns the processor time in seconds that a process has used so far; infinite on systems without /proc.
 */
function processorSeconds(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.POSITIVE_INFINITY;
  const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Returns the example commands of the README for the sample web, changed to use the data of this test. */
function readmeExamples(data: string): string[][] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const lines = [...readme.matchAll(/^npx gyre (.+)$/gm)].map((match) => match[1]!);
  assert.ok(lines.length >= 2);
  return lines.map((line) => {
    const words = line.match(/'[^']*'|\S+/g)!.map((word) => word.replace(/^'|'$/g, ''));
    return words.map((word) => (word === 'data/demo' ? data : word));
  });
}
