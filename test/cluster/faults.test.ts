/**
 * Faults of a cluster: `npm run test:cluster`. Real nodes on real services crawl the synthetic web while a
 * fault happens; fault-run.ts lists the checks after the fault. Recovery times are printed, and must be within
 * their aims times GYRE_TEST_MARGIN.
 *
 * `test/system/cluster-nodes.test.ts` and `cluster-search.test.ts` have the two most frequent faults, for `npm test`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { brokerUrl } from '../../src/cluster/links/test-broker.fixture.ts';
import { bucketAccess } from '../../src/cluster/test-bucket.fixture.ts';
import { missingPages, until } from '../helpers/cluster-crawl.ts';
import type { Gyre } from '../helpers/gyre.ts';
import { type FaultOptions, FaultRun } from './fault-run.ts';
import { Gate } from './gate.ts';
import { Namespace } from './namespace.ts';
import { TestServer } from './test-server.ts';

/** The time for which a node is stopped. It is longer than the lease of a node. */
const STOPPED_MS = 12_000;
const AWAY_MS = 5_000;
const S3_AWAY_MS = 60_000;
const CLOCK_MS = 4 * 60_000;
const CHURN_MS = 120_000;
const CHURN_PAUSE_MS = 10_000;
/** A slow node is stopped and continued in turns, so that it runs for a quarter of the time. */
const SLOW = { stoppedMs: 150, runningMs: 50 };

function faultTest(name: string, options: FaultOptions, fault: (run: FaultRun) => Promise<void>): void {
  test(name, async (context) => {
    const run = await FaultRun.start(context, options);
    await fault(run);
    await run.check();
  });
}

faultTest('SIGKILL of a node with the roles crawl, index and search', {}, async (run) => {
  const { others } = await run.divide();
  const startedAt = await run.losing(() => others[0]!.kill('SIGKILL'));
  await run.untilTakenOver(startedAt, [others[0]!]);
});

faultTest('SIGSTOP of a node for longer than its lease', {}, async (run) => {
  const { others } = await run.divide();
  const startedAt = await run.losing(() => others[0]!.child.kill('SIGSTOP'));
  await run.untilTakenOver(startedAt, [others[0]!]);
  await sleep(STOPPED_MS - (performance.now() - startedAt));
  others[0]!.child.kill('SIGCONT');
});

faultTest('SIGKILL of the coordinator', {}, async (run) => {
  const before = await run.coordinator();
  const { coordinator } = await run.divide();
  const startedAt = await run.losing(() => coordinator.kill('SIGKILL'));
  await run.untilCoordinator(startedAt, before);
  await run.untilTakenOver(startedAt, [coordinator]);
  await run.join();
});

faultTest('SIGSTOP of the coordinator', {}, async (run) => {
  const before = await run.coordinator();
  const { coordinator } = await run.divide();
  const startedAt = await run.losing(() => coordinator.child.kill('SIGSTOP'));
  await run.untilCoordinator(startedAt, before);
  await run.untilTakenOver(startedAt, [coordinator]);
  await sleep(STOPPED_MS - (performance.now() - startedAt));
  coordinator.child.kill('SIGCONT');
});

faultTest(
  'SIGKILL of two nodes at once, one of them the coordinator',
  { nodes: 3, replicas: 3 },
  async (run) => {
    const before = await run.coordinator();
    const { coordinator, others } = await run.divide();
    const startedAt = await run.losing(() =>
      Promise.all([coordinator, others[0]!].map((node) => node.kill('SIGKILL'))),
    );
    await run.untilCoordinator(startedAt, before);
    await run.untilTakenOver(startedAt, [coordinator, others[0]!]);
  },
);

faultTest('RabbitMQ is killed and starts again', {}, async (run) => {
  const rabbitmq = new TestServer(run.context, 'TEST_RABBITMQ_START');
  // RabbitMQ 3.10 writes its list of queues to disk when it stops; otherwise it would do so only after minutes.
  await rabbitmq.end('SIGTERM');
  rabbitmq.start();
  const requests = run.web.log.length;
  await until('the crawl continues', () => run.web.log.length > requests + 100);
  await rabbitmq.end('SIGKILL');
  await sleep(AWAY_MS);
  rabbitmq.start();
  assert.notEqual(missingPages(run.web).length, 0, 'the fault happened during the crawl');
});

faultTest('PostgreSQL is killed and starts again', {}, async (run) => {
  const postgresql = new TestServer(run.context, 'TEST_POSTGRES_START');
  // The leases expire meanwhile, so a node may find that others own its vnodes, and its commit is refused.
  await run.losing(async () => {
    await postgresql.end('SIGKILL');
    await sleep(AWAY_MS);
    postgresql.start();
    await run.untilTakenOver(performance.now(), []);
  });
  assert.notEqual(missingPages(run.web).length, 0, 'the fault happened during the crawl');
});

faultTest('S3 is unreachable for a minute', {}, async (run) => {
  await run.s3.shut();
  await sleep(S3_AWAY_MS);
  assert.notEqual(missingPages(run.web).length, 0, 'nodes do not fetch what they cannot store');
  await run.s3.open();
});

test('a node that is cut off from the services, but not from the web, and comes back', async (context) => {
  const namespace = new Namespace(context);
  const gate = async (url: string, host: string) => {
    const { hostname, port } = new URL(url);
    const opened = await Gate.open({ host: hostname, port: Number(port) }, { host, port: 0 });
    context.after(() => opened.shut());
    return `${host}:${opened.port}`;
  };
  const run = await FaultRun.start(context, { pages: 1440 });
  const web = await Gate.open(
    { host: '127.0.0.1', port: run.web.port },
    { host: namespace.web, port: run.web.port },
  );
  context.after(() => web.shut());
  const file = run.clusterFile();
  const through = async (url: string) => {
    const changed = new URL(url);
    changed.host = await gate(url, namespace.services);
    return changed.href;
  };
  const { settings } = file as { settings: { crawl: object } };
  const cut = await run.join({
    launcher: namespace.launcher,
    changes: {
      postgresql: await through(String(file.postgresql)),
      rabbitmq: await through(brokerUrl),
      s3: { endpoint: `http://${await gate(bucketAccess.endpoint, namespace.services)}` },
      settings: { ...settings, crawl: { ...settings.crawl, resolve: { '*.test': namespace.web } } },
    },
  });
  await until('the node in the namespace crawls', () => run.hasCommitted(cut));
  // The node continues to fetch until its lease has expired, and its commits are refused.
  const startedAt = await run.losing(async () => {
    const cutAt = performance.now();
    namespace.cut();
    await run.untilTakenOver(cutAt, [cut]);
  });
  await sleep(2 * STOPPED_MS - (performance.now() - startedAt));
  assert.notEqual(missingPages(run.web).length, 0, 'the fault happened during the crawl');
  namespace.restore();
  await run.check();
});

faultTest('a node that runs for a quarter of the time', {}, async (run) => {
  const { others } = await run.divide();
  // If the machine is busy, the node may lose its lease meanwhile.
  await run.losing(async () => {
    const stop = slowDown(others[0]!);
    await until('three quarters of the pages are fetched', () => missingPages(run.web).length < 180);
    stop();
  });
});

faultTest(
  'SIGKILL of a node while all hosts share one IP address',
  { pages: 120, delayMs: 100, addressDelayMs: 1000 },
  async (run) => {
    const { others } = await run.divide();
    const startedAt = await run.losing(() => others[0]!.kill('SIGKILL'));
    await run.untilTakenOver(startedAt, [others[0]!]);
  },
);

faultTest(
  'clocks that differ by eight minutes',
  { places: [clockOf(CLOCK_MS), clockOf(-CLOCK_MS)] },
  async (run) => {
    await until('every page is fetched', () => missingPages(run.web).length === 0);
  },
);

faultTest(
  'a node joins and another leaves every ten seconds for two minutes',
  { nodes: 3, replicas: 3, pages: 3600, delayMs: 1000 },
  async (run) => {
    const endAt = performance.now() + CHURN_MS;
    for (let n = 0; performance.now() < endAt; n++) {
      const joined = run.join();
      const { code, stderr } = await run.nodes[n]!.kill('SIGTERM');
      assert.equal(code, 0, stderr);
      await joined;
      await sleep(CHURN_PAUSE_MS);
    }
    assert.notEqual(missingPages(run.web).length, 0, 'the fault happened during the crawl');
  },
);

faultTest('a rolling restart of all nodes', {}, async (run) => {
  for (const node of [...run.nodes]) {
    const { code, stderr } = await node.kill('SIGTERM');
    assert.equal(code, 0, stderr);
    await run.join();
    await run.whenSearchable();
  }
});

function clockOf(shiftMs: number) {
  const preload = new URL('./shifted-clock.mjs', import.meta.url).href;
  return { environment: { NODE_OPTIONS: `--import=${preload}`, GYRE_TEST_CLOCK_MS: String(shiftMs) } };
}

/** Stops and continues a node in turns until the returned function is called. */
function slowDown({ child }: Gyre): () => void {
  let isOver = false;
  void (async () => {
    while (!isOver) {
      child.kill('SIGSTOP');
      await sleep(SLOW.stoppedMs);
      child.kill('SIGCONT');
      await sleep(SLOW.runningMs);
    }
  })();
  return () => {
    isOver = true;
  };
}
