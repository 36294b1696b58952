/** Finds the problems of a cluster, each with a command that helps. */
import { shardIndexName } from '../../cluster/mod.ts';
import { clusterCommandFor } from '../advice.ts';
import { counted } from '../output.ts';
import type { ClusterFacts } from './cluster-facts.ts';

/** The maximum number of damaged objects that are named. */
const MAX_NAMED = 5;

interface ClusterProblem {
  problem: string;
  /** A command that helps; null if the text of the problem already says what to do. */
  help: string | null;
}

/** Returns the problems. Problems that stop the most work come first. */
export function findProblems(facts: ClusterFacts): ClusterProblem[] {
  return [
    ...facts.failures.map((problem) => ({ problem, help: null })),
    ...nodeProblems(facts),
    ...damageProblems(facts),
    ...searchProblems(facts),
    ...deadLetterProblems(facts),
  ];
}

function nodeProblems({ report, file }: ClusterFacts): ClusterProblem[] {
  if (!report) return [];
  const alive = report.nodes.filter(({ leaseMs }) => leaseMs > 0);
  if (alive.length === 0)
    return [{ problem: 'no node is alive: nothing works', help: clusterCommandFor('node', file) }];
  const problems: ClusterProblem[] = [];
  if (report.coordinator.node === null)
    problems.push({
      problem:
        'no node is the coordinator: work of nodes that leave stays free. A node takes this over within 6 s; if none does, read the logs of the nodes',
      help: clusterCommandFor('status', file),
    });
  const missing = (role: string, problem: string) => {
    if (alive.some(({ roles }) => roles.includes(role))) return;
    problems.push({ problem, help: clusterCommandFor(`node --roles ${role}`, file) });
  };
  const { free, count } = report.vnodes;
  missing('crawl', `${free} of ${count} vnodes have no owner, and no crawl node is alive: their hosts wait`);
  missing('index', 'no index node is alive: new pages do not become searchable');
  return problems;
}

function damageProblems({ report, file }: ClusterFacts): ClusterProblem[] {
  if (!report) return [];
  const journal = report.damaged.slice(0, MAX_NAMED).map(({ object, problem, writer }) => ({
    problem: `journal object journal/${object} is damaged: ${problem}. The index continues without later pages of writer n${writer}, and with all when the object is restored, for example from a version of the bucket. This makes it again from the archive`,
    help: clusterCommandFor('build --from-archive', file),
  }));
  const more = report.damaged.length - journal.length;
  if (more > 0) journal.push({ problem: `${more} more journal objects are damaged`, help: journal[0]!.help });
  const shards = report.shards.flatMap(({ shard, problem }) =>
    problem === null
      ? []
      : [
          {
            problem: `shard ${shard} is not indexed: ${problem}. It is opened again when the object is restored. This indexes the whole journal again`,
            help: clusterCommandFor('build --rebuild', file),
          },
        ],
  );
  return [...journal, ...shards];
}

function searchProblems({ report, replicas, searchNodes, file }: ClusterFacts): ClusterProblem[] {
  if (!report || replicas === null || report.nodes.every(({ leaseMs }) => leaseMs <= 0)) return [];
  const help = clusterCommandFor('node --roles search', file);
  if (searchNodes.length === 0) return [{ problem: 'no search node is alive: searches fail', help }];
  const silent = searchNodes.flatMap(({ node, problem }) =>
    problem === null ? [] : [{ problem: `search node ${node} does not answer: ${problem}`, help: null }],
  );
  const counts = report.shards.map(({ shard }) => replicasOf(shard, searchNodes));
  const absent = counts.flatMap((count, shard) => (count === 0 ? [shard] : []));
  if (absent.length > 0) {
    const subject = `${absent.length === 1 ? 'shard' : 'shards'} ${absent.join(', ')}`;
    const problem = `no search node has ${subject} open: results are partial. It may still be copying; otherwise start another`;
    return [...silent, { problem, help }];
  }
  const fewest = Math.min(...counts);
  if (fewest >= replicas) return silent;
  const problem = `some shards have ${fewest} of ${replicas} replicas, with ${counted(searchNodes.length, 'search node')}`;
  return [...silent, { problem, help: searchNodes.length < replicas ? help : null }];
}

function deadLetterProblems({ queues, file }: ClusterFacts): ClusterProblem[] {
  if (!queues || queues.deadLetters === 0) return [];
  const letters = counted(queues.deadLetters, 'dead letter');
  const problem = `${letters}: links that no node could read or store. This shows them; with --resend it sends them again, for example after an upgrade of the nodes`;
  return [{ problem, help: clusterCommandFor('dead-letters', file) }];
}

/** Returns the number of search nodes that have a shard open. */
export function replicasOf(shard: number, searchNodes: ClusterFacts['searchNodes']): number {
  return searchNodes.filter(({ shards }) => shards.includes(shardIndexName(shard))).length;
}
