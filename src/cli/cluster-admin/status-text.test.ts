import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterFacts } from '../cluster-facts/cluster-facts.ts';
import { findProblems } from '../cluster-facts/status-problems.ts';
import { statusLines } from './status-text.ts';

const WIDTH = 80;
const COUNTS = { hosts: 24, parked: 1, ready: 12, done: 480, refused: 3, failed: 2 };

type Report = NonNullable<ClusterFacts['report']>;

function node(name: string, roles: string[], changes: Partial<Report['nodes'][number]> = {}) {
  const address = roles.includes('search') ? 'http://10.0.0.7:4100' : null;
  const shared = { weight: 1, version: '0.1.0', leaseMs: 4_200, vnodes: 0, shards: 0 };
  return { node: name, roles, address, ...shared, ...changes };
}

/** Facts of a cluster without problems: one node for each role, and one replica of each of the two shards. */
function healthy(changes: Partial<Report> = {}): ClusterFacts {
  const lag = { batches: 0, records: 0 };
  const report: Report = {
    name: 'web',
    schemaVersion: 6,
    coordinator: { node: 'crawler-1a2b3c4d', epoch: 3 },
    nodes: [
      node('crawler-1a2b3c4d', ['crawl'], { vnodes: 256 }),
      node('indexer-5e6f7a8b', ['index'], { shards: 2 }),
      node('searcher-9c0d1e2f', ['search', 'gateway']),
    ],
    vnodes: { count: 256, free: 0, moving: 0 },
    shards: [0, 1].map((shard) => ({
      shard,
      owner: 'indexer-5e6f7a8b',
      epoch: 1,
      documents: 240,
      segments: 3,
      lag,
      problem: null,
    })),
    damaged: [],
    crawl: { ...COUNTS, isPaused: false, answers: [], problems: [] },
    ...changes,
  };
  return {
    file: 'cluster.json',
    name: 'web',
    replicas: 1,
    report,
    queues: { waiting: 7, queues: 256, deadLetters: 0, deadLetterQueue: 'web.links.dead' },
    searchNodes: [
      {
        node: 'searcher-9c0d1e2f',
        address: 'http://10.0.0.7:4100',
        shards: ['shard-0', 'shard-1'],
        problem: null,
      },
    ],
    failures: [],
  };
}

function helpOf(facts: ClusterFacts): (string | null)[] {
  return findProblems(facts).map(({ help }) => help?.replace('npx ', '') ?? null);
}

test('a cluster without problems is shown with its totals, nodes, shards and search nodes', () => {
  const lines = statusLines(healthy(), WIDTH);
  assert.equal(lines[0], 'cluster web: no problems');
  const text = lines.join('\n');
  assert.match(text, /coordinator {2}crawler-1a2b3c4d, epoch 3/);
  assert.match(text, /vnodes +256, 0 of them free, 0 moving/);
  assert.match(text, /crawl +running on 1 node\n/);
  assert.match(text, /URLs +480 fetched, 12 queued, 3 refused, 2 failed/);
  assert.match(text, /links +7 messages in 256 queues, 0 dead letters/);
  assert.match(text, /crawler-1a2b3c4d +crawl +0\.1\.0 +1 +5 s +256 +0\n/);
  assert.match(text, /\n +0 +indexer-5e6f7a8b +1 +240 +3 +nothing +1 of 1\n/);
  assert.match(text, /searcher-9c0d1e2f +http:\/\/10\.0\.0\.7:4100 +0 1$/);
});

test('long names and problems fit a terminal of 80 columns, and the ends of names are kept', () => {
  const long = `a-host-with-a-very-long-name-in-some-region-of-a-cloud-${'x'.repeat(20)}-1a2b3c4d`;
  const facts = healthy({
    coordinator: { node: null, epoch: 3 },
    nodes: [node(long, ['crawl', 'index', 'search', 'gateway'], { leaseMs: -125_000 })],
  });
  facts.failures.push(`RabbitMQ at broker.example:5672 is unreachable (ECONNREFUSED): ${'word '.repeat(40)}`);
  const lines = statusLines(facts, WIDTH);
  assert.deepEqual(
    lines.filter((line) => line.length > WIDTH),
    [],
  );
  const cut = lines.find((line) => line.includes('1a2b3c4d') && line.includes('125 s ago'));
  assert.match(cut ?? '', /^ {2}….*-1a2b3c4d/);
  assert.ok(statusLines(facts, Number.POSITIVE_INFINITY).some((line) => line.includes(long)));
});

test('problems come first, each with the command that helps', () => {
  const crawlers = ['crawl', 'search'].map((role) => node(`${role}er`, [role]));
  const facts = healthy({ nodes: crawlers, coordinator: { node: null, epoch: 3 } });
  facts.queues!.deadLetters = 2;
  facts.searchNodes[0]!.shards = ['shard-1'];
  const lines = statusLines(facts, WIDTH);
  assert.equal(lines[0], 'cluster web: 4 problems');
  assert.match(lines[1]!, /^! no node is the coordinator/);
  assert.deepEqual(helpOf(facts), [
    'gyre status --cluster cluster.json',
    'gyre node --cluster cluster.json --roles index',
    'gyre node --cluster cluster.json --roles search',
    'gyre dead-letters --cluster cluster.json',
  ]);
});

test('damaged objects are named with the commands that repair them', () => {
  const damaged = Array.from({ length: 7 }, (_, number) => ({
    writer: 1,
    number,
    object: `a-${number}.journal`,
    problem: 'the object is missing',
    warc: null,
    records: 1,
    journalBytes: 1,
    digest: null,
  }));
  const facts = healthy({ damaged });
  facts.report!.shards[1]!.problem = 'there is no seg-00000001.seg';
  const problems = findProblems(facts).map(({ problem }) => problem);
  assert.equal(problems.length, 7);
  assert.match(
    problems[0]!,
    /^journal object journal\/a-0\.journal is damaged: the object is missing\. .* writer n1,/,
  );
  assert.equal(problems[5], '2 more journal objects are damaged');
  assert.match(problems[6]!, /^shard 1 is not indexed: there is no seg-00000001\.seg\. /);
  assert.deepEqual(
    new Set(helpOf(facts)),
    new Set([
      'gyre build --cluster cluster.json --from-archive',
      'gyre build --cluster cluster.json --rebuild',
    ]),
  );
});

test('vnodes that are free because no crawl node is alive are a problem', () => {
  const facts = healthy({ vnodes: { count: 256, free: 256, moving: 0 } });
  facts.report!.nodes[0]!.leaseMs = -1;
  assert.match(findProblems(facts)[0]!.problem, /^256 of 256 vnodes have no owner, and no crawl node is/);
  assert.deepEqual(helpOf(facts), ['gyre node --cluster cluster.json --roles crawl']);
});

test('a pause is shown with the command that ends it', () => {
  const facts = healthy();
  facts.report!.crawl.isPaused = true;
  const line = statusLines(facts, WIDTH).find((text) => text.startsWith('  crawl '));
  assert.match(line!, /paused; (?:npx )?gyre resume --cluster cluster\.json continues$/);
});

test('without live nodes, the only problem is that no node is alive', () => {
  const facts = healthy({ nodes: [], coordinator: { node: null, epoch: 3 } });
  assert.deepEqual(helpOf({ ...facts, searchNodes: [] }), ['gyre node --cluster cluster.json']);
});

test('replicas are missing only if the cluster file has a secret for searching', () => {
  const facts = { ...healthy(), replicas: 2 };
  assert.match(findProblems(facts)[0]!.problem, /some shards have 1 of 2 replicas, with 1 search node/);
  assert.deepEqual(findProblems({ ...facts, replicas: null, searchNodes: [] }), []);
  const silent = { ...facts.searchNodes[0]!, shards: [], problem: 'it does not answer within 3 s' };
  const problems = findProblems({ ...facts, searchNodes: [silent] }).map(({ problem }) => problem);
  assert.match(problems[0]!, /^search node searcher-9c0d1e2f does not answer: it does not/);
  assert.match(problems[1]!, /^no search node has shards 0, 1 open/);
});

test('the answers of the other services are shown while PostgreSQL is away', () => {
  const away = 'PostgreSQL at db.example:5432 is unreachable (ECONNREFUSED): check that the server runs';
  const facts = { ...healthy(), report: null, searchNodes: [], failures: [away] };
  const lines = statusLines(facts, Number.POSITIVE_INFINITY);
  assert.deepEqual(lines, [
    'cluster web: 1 problem',
    `! ${away}`,
    '  links        7 messages in 256 queues, 0 dead letters',
  ]);
});
