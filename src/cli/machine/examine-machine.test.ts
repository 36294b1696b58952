import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { loadConfig } from '../settings/mod.ts';
import { type MachineFacts, thisMachine } from './machine-facts.ts';
import { examineMachine, machineLines } from './mod.ts';

const GIB = 1024 ** 3;
const GOOD: MachineFacts = {
  nodeVersion: '24.1.0',
  nowMs: Date.UTC(2027, 0, 1),
  freeBytes: () => 100 * GIB,
  openFiles: () => 65_536,
  memory: () => ({ totalBytes: 8 * GIB, availableBytes: 4 * GIB }),
  resolve: async () => '127.0.0.1',
  listen: async () => null,
  isEngineAt: async () => false,
};

async function examined(changes: Partial<MachineFacts>, { setBackMs = 0, flags = {} } = {}) {
  const config = loadConfig({ flags: { memory: '2Gi', ...flags }, environment: {}, file: undefined });
  const seeds = ['https://a.example.org/', 'https://192.0.2.1/', 'https://b.test/'];
  return await examineMachine({ config, seeds, clockSetBackMs: setBackMs, facts: { ...GOOD, ...changes } });
}

test('a machine without problems has one line for each check', async () => {
  const findings = await examined({});
  assert.ok(findings.every(({ isGood, advice }) => isGood && advice === ''));
  assert.deepEqual(machineLines(findings), [
    'Node.js     ok       version 24.1.0',
    'disk        ok       100.0 GiB free at data',
    'open files  ok       up to 65536',
    'memory      ok       limit 2.0 GiB of 8.0 GiB, 4.0 GiB available',
    'clock       ok       2027-01-01T00:00:00.000Z',
    'names       ok       resolved localhost, a.example.org',
    'port        ok       127.0.0.1:8080 is free',
  ]);
});

const problems: [
  what: string,
  changes: Partial<MachineFacts>,
  check: string,
  found: RegExp,
  advice: RegExp,
][] = [
  ['an old Node.js', { nodeVersion: '20.9.0' }, 'Node.js', /20\.9\.0/, /24 or later/],
  ['a full disk', { freeBytes: () => GIB / 2 }, 'disk', /512\.0 MiB free/, /crawl\.minFreeSpace/],
  ['a low limit of open files', { openFiles: () => 256 }, 'open files', /only 256/, /ulimit -n/],
  [
    'a memory limit above the memory',
    { memory: () => ({ totalBytes: GIB, availableBytes: GIB / 2 }) },
    'memory',
    /limit 2\.0 GiB of 1\.0 GiB/,
    /--memory is too high/,
  ],
  ['a clock of 1970', { nowMs: 0 }, 'clock', /1970-01-01.* in the past/, /set the clock/],
  [
    'a name server that does not answer',
    { resolve: async (host) => (host === 'localhost' ? '' : Promise.reject(new Error('EAI_AGAIN'))) },
    'names',
    /^a\.example\.org: EAI_AGAIN$/,
    /name servers/,
  ],
  ['a port in use', { listen: async () => 'EADDRINUSE' }, 'port', /another program/, /--port/],
  ['a forbidden port', { listen: async () => 'EACCES' }, 'port', /may not listen/, /1024/],
];

for (const [what, changes, check, found, advice] of problems) {
  test(`${what} is a warning with advice, and the only one`, async () => {
    const wrong = (await examined(changes)).filter(({ isGood }) => !isGood);
    assert.deepEqual(
      wrong.map((finding) => finding.check),
      [check],
    );
    assert.match(wrong[0]!.found, found);
    assert.match(wrong[0]!.advice, advice);
  });
}

test('a commit in the future is a problem of the clock, and a running engine none of the port', async () => {
  const late = await examined({}, { setBackMs: 7_200_000 });
  assert.match(late.find(({ check }) => check === 'clock')!.found, /last commit of the crawl is 2 h later/);
  const used = { listen: async () => 'EADDRINUSE', isEngineAt: async () => true };
  const running = await examined(used);
  assert.equal(running.find(({ check }) => check === 'port')!.found, 'an engine serves 127.0.0.1:8080');
});

test('the facts of this machine are read', async () => {
  assert.ok(thisMachine.freeBytes('no/such/directory/yet') > 0);
  assert.ok((thisMachine.openFiles() ?? 1) > 0);
  const { totalBytes, availableBytes } = thisMachine.memory();
  assert.ok(availableBytes > 0 && availableBytes <= totalBytes);
  await thisMachine.resolve('localhost');
  const server = createServer((_request, response) => response.end('{"status":"alive"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  assert.equal(await thisMachine.listen('127.0.0.1', port), 'EADDRINUSE');
  assert.equal(await thisMachine.isEngineAt('127.0.0.1', port), true);
  await new Promise((resolve) => server.close(resolve));
  assert.equal(await thisMachine.listen('127.0.0.1', port), null);
  assert.equal(await thisMachine.isEngineAt('127.0.0.1', port), false);
});
