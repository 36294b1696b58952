/** The state of a cluster as lines of text that fit a terminal: problems first, then totals, nodes and shards. */
import type { ClusterReport, NodeReport } from '../../cluster/mod.ts';
import { describeProblem } from '../../crawl/mod.ts';
import { clusterCommandFor } from '../advice.ts';
import { type ClusterFacts, findProblems, replicasOf } from '../cluster-facts/mod.ts';
import { answersLine } from '../findings-report.ts';
import { counted } from '../output.ts';

const GAP = '  ';
/** The minimum width of a column, in characters. A column is never cut below it. */
const MIN_COLUMN = 8;

/** Returns the lines. No line is longer than `width`, except a line with a command that the reader may copy. */
export function statusLines(facts: ClusterFacts, width: number): string[] {
  const problems = findProblems(facts);
  const { name, report } = facts;
  return [
    `cluster ${name}: ${problems.length === 0 ? 'no problems' : counted(problems.length, 'problem')}`,
    ...problems.flatMap(({ problem, help }) => [
      ...wrapped(`! ${problem}${help === null ? '' : ':'}`, width, 2),
      ...(help === null ? [] : [`    ${help}`]),
    ]),
    ...totals(facts).flatMap(([label, text]) => wrapped(`${GAP}${label.padEnd(11)}  ${text}`, width, 15)),
    ...crawlProblems(facts).flatMap((text) => wrapped(`${GAP}${text}`, width, 4)),
    ...(report && report.nodes.length > 0 ? ['', ...columns(nodeRows(report.nodes), width)] : []),
    ...(report && report.shards.length > 0 ? ['', ...columns(shardRows(facts), width)] : []),
    ...(facts.searchNodes.length > 0 ? ['', ...columns(searchRows(facts), width)] : []),
  ];
}

function totals({ report, queues, file }: ClusterFacts): [string, string][] {
  const lines: [string, string][] = [];
  if (report) {
    const { schemaVersion, coordinator, vnodes, crawl } = report;
    const { node, epoch } = coordinator;
    lines.push(
      ['schema', `version ${schemaVersion}`],
      ['coordinator', `${node ?? 'none'}, epoch ${epoch}`],
      ['vnodes', `${vnodes.count}, ${vnodes.free} of them free, ${vnodes.moving} moving`],
      ['crawl', crawlWord(report, file)],
      ['hosts', `${crawl.hosts}, ${crawl.parked} of them parked`],
      [
        'URLs',
        `${crawl.done} fetched, ${crawl.ready} queued, ${crawl.refused} refused, ${crawl.failed} failed`,
      ],
      ['fetched', answersLine(crawl.answers)],
    );
  }
  if (queues) {
    const { waiting, queues: count, deadLetters } = queues;
    const messages = `${counted(waiting, 'message')} in ${counted(count, 'queue')}`;
    lines.push(['links', `${messages}, ${counted(deadLetters, 'dead letter')}`]);
  }
  return lines;
}

function crawlWord({ crawl, nodes }: ClusterReport, file: string): string {
  if (crawl.isPaused) return `paused; ${clusterCommandFor('resume', file)} continues`;
  const crawlers = nodes.filter(({ roles, leaseMs }) => roles.includes('crawl') && leaseMs > 0);
  return crawlers.length === 0 ? 'not running' : `running on ${counted(crawlers.length, 'node')}`;
}

function crawlProblems({ report }: ClusterFacts): string[] {
  return (report?.crawl.problems ?? []).map((problem) => `${problem.count} × ${describeProblem(problem)}`);
}

function nodeRows(nodes: readonly NodeReport[]): string[][] {
  const rows = nodes.map(({ node, roles, version, weight, leaseMs, vnodes, shards }) => [
    node,
    roles.join(','),
    version ?? 'unknown',
    String(weight),
    leaseMs > 0 ? `${Math.ceil(leaseMs / 1000)} s` : `${Math.floor(-leaseMs / 1000)} s ago`,
    String(vnodes),
    String(shards),
  ]);
  return [['node', 'roles', 'version', 'weight', 'lease', 'vnodes', 'shards'], ...rows];
}

function shardRows({ report, replicas, searchNodes }: ClusterFacts): string[][] {
  const rows = report!.shards.map(({ shard, owner, epoch, documents, segments, lag }) => [
    String(shard),
    owner ?? 'none',
    String(epoch),
    String(documents),
    String(segments),
    lag.batches === 0
      ? 'nothing'
      : `${counted(lag.batches, 'batch', 'batches')}, ${counted(lag.records, 'record')}`,
    replicas === null ? '' : `${replicasOf(shard, searchNodes)} of ${replicas}`,
  ]);
  return [['shard', 'index node', 'epoch', 'docs', 'segs', 'unread', 'replicas'], ...rows];
}

function searchRows({ searchNodes }: ClusterFacts): string[][] {
  const rows = searchNodes.map(({ node, address, shards, problem }) => [
    node,
    address,
    problem === null ? shards.map((shard) => shard.replace('shard-', '')).join(' ') || 'none' : 'no answer',
  ]);
  return [['search node', 'address', 'open shards'], ...rows];
}

/** Aligns rows in columns. If a line would be longer than `width`, cuts the widest columns from the left. */
function columns(rows: readonly (readonly string[])[], width: number): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const gaps = GAP.length * widths.length;
  const total = () => widths.reduce((sum, size) => sum + size, gaps);
  while (total() > width && Math.max(...widths) > MIN_COLUMN)
    widths[widths.indexOf(Math.max(...widths))]! -= 1;
  return rows.map((row) => {
    const cells = row.map((cell, column) => cut(cell, widths[column]!).padEnd(widths[column]!));
    return (GAP + cells.join(GAP)).trimEnd();
  });
}

/**
 * Cuts a text that is too long at its beginning, because the end of the name of a node distinguishes it from
 * other nodes.
 */
function cut(text: string, size: number): string {
  return text.length <= size ? text : `…${text.slice(text.length - size + 1)}`;
}

/** Breaks a line between words. Continued lines begin with `indent` spaces. */
function wrapped(text: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    if (space <= indent) break;
    lines.push(rest.slice(0, space));
    rest = ' '.repeat(indent) + rest.slice(space + 1);
  }
  return [...lines, rest];
}
