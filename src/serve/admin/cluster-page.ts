/**
 * Serves `/admin` on a gateway: the state of the whole cluster from its services, and the commands that pause and resume its
 * crawl. `gyre status --cluster` shows the same facts.
 */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { type Html, html } from '../html.ts';
import type { ClusterTools } from '../operations/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { type Session, sessionOf } from '../sign-in/mod.ts';
import type { AdminDesk } from './desk.ts';
import { formRoute } from './form-action.ts';
import { hiddenSecret, sendPage } from './frame.ts';

const PAGE = '/admin';
const ACTIONS = { pause: 'Pause the crawl', resume: 'Resume the crawl' } as const;

/** The facts of `ClusterTools.state` that the page shows. A service that is away leaves its part out. */
interface ShownCluster {
  name: string;
  problems: { problem: string; help: string | null }[];
  coordinator?: { node: string | null };
  nodes?: {
    node: string;
    roles: string[];
    version: string | null;
    leaseMs: number;
    vnodes: number;
    shards: number;
  }[];
  vnodes?: { count: number; free: number; moving: number };
  shards?: {
    shard: number;
    owner: string | null;
    documents: number;
    segments: number;
    lag: { batches: number };
  }[];
  crawl?: { isPaused: boolean };
  queues: { waiting: number; deadLetters: number } | null;
  searchNodes: { node: string; address: string; shards: string[]; problem: string | null }[];
}

export function clusterOverviewRoutes(
  server: FastifyInstance,
  site: ServerContext,
  tools: ClusterTools,
  desk: AdminDesk,
): void {
  server.get(PAGE, async (request, reply) => {
    const state = (await tools.state()) as ShownCluster;
    return sendPage(site, request, reply, { title: 'Cluster', main: overview(state, sessionOf(request)) });
  });
  formRoute(server, `${PAGE}/cluster`, PAGE, async ({ action = '' }, who) => {
    if (action !== 'pause' && action !== 'resume')
      throw new UsageError('bad-action', 'There is no such command.');
    await tools.act(action);
    desk.audit(who, `${action} cluster crawl`);
    return `${ACTIONS[action]}: all crawl nodes follow within 5 seconds.`;
  });
}

function overview(state: ShownCluster, session: Session): Html {
  const { name, problems, coordinator, vnodes, crawl, queues } = state;
  return html`<section class="card" aria-labelledby="cluster"><h2 id="cluster">${name}</h2>
<dl class="figures">
<div><dt>Crawl</dt><dd>${crawl ? (crawl.isPaused ? 'paused' : 'running') : 'unknown'}</dd></div>
<div><dt>Coordinator</dt><dd>${coordinator?.node ?? 'none'}</dd></div>
<div><dt>Vnodes without owner</dt><dd>${vnodes ? `${vnodes.free} of ${vnodes.count}` : 'unknown'}</dd></div>
<div><dt>Vnodes that move</dt><dd>${vnodes?.moving ?? 'unknown'}</dd></div>
<div><dt>Waiting links (messages)</dt><dd>${queues?.waiting ?? 'unknown'}</dd></div>
<div><dt>Dead letters</dt><dd>${queues?.deadLetters ?? 'unknown'}</dd></div>
</dl>
${session.role === 'operator' ? commandForm(session) : null}</section>
${problemsOf(problems)}
${tableOf('Nodes', ['Node', 'Roles', 'Version', 'Lease', 'Vnodes', 'Shards'], (state.nodes ?? []).map(nodeCells))}
${tableOf('Shards', ['Shard', 'Index node', 'Documents', 'Segments', 'Unread batches', 'Replicas'], shardRows(state))}
${tableOf('Search nodes', ['Node', 'Address', 'Open shards', 'Problem'], state.searchNodes.map(searchNodeCells))}`;
}

function commandForm(session: Session): Html {
  return html`<form method="post" action="/admin/cluster" class="row">${hiddenSecret(session)}
${Object.entries(ACTIONS).map(([action, text]) => html`<button name="action" value="${action}">${text}</button>`)}
</form>`;
}

function problemsOf(problems: ShownCluster['problems']): Html | null {
  if (problems.length === 0) return null;
  return html`<section class="card" aria-label="Problems"><h2>Problems</h2>
<ul>${problems.map(({ problem, help }) => html`<li>${problem}${help === null ? null : html`: <code>${help}</code>`}</li>`)}</ul></section>`;
}

type NodeFacts = NonNullable<ShownCluster['nodes']>[number];

function nodeCells({ node, roles, version, leaseMs, vnodes, shards }: NodeFacts): string[] {
  const lease = leaseMs > 0 ? `${(leaseMs / 1000).toFixed(1)} s left` : 'dead';
  return [node, roles.join(', '), version ?? 'unknown', lease, String(vnodes), String(shards)];
}

function shardRows({ shards = [], searchNodes }: ShownCluster): string[][] {
  return shards.map(({ shard, owner, documents, segments, lag }) => {
    const replicas = searchNodes.filter((node) => node.shards.includes(`shard-${shard}`)).length;
    return [String(shard), owner ?? 'none', ...[documents, segments, lag.batches, replicas].map(String)];
  });
}

function searchNodeCells({ node, address, shards, problem }: ShownCluster['searchNodes'][number]): string[] {
  return [node, address, shards.join(', ') || 'none', problem ?? ''];
}

function tableOf(title: string, heads: readonly string[], rows: readonly string[][]): Html {
  return html`<section class="card" aria-label="${title}"><h2>${title}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of ${title.toLowerCase()}"><table><caption class="unseen">${title}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></section>`;
}
