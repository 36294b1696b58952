/**
 * gyre pause, gyre resume, gyre stop: control a running crawl from another terminal. A pause also applies to
 * a crawl that is started later; a stop requires a running crawl. With --cluster, they act on all nodes of a cluster.
 */
import { type Directory, UsageError } from '../../base/mod.ts';
import { hasCrawlState } from '../../crawl/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation, OwnFlag } from '../arguments.ts';
import { demoHint, readData } from '../data-directory.ts';
import { isCrawling } from '../locks.ts';
import { print } from '../output.ts';
import { type CrawlCommand, readCrawlCommand, writeCrawlCommand } from '../sessions/control.ts';

const SAVED = '; it finishes and saves the requests in flight first';

const CLUSTER: OwnFlag = {
  name: 'cluster',
  kind: 'string',
  value: 'FILE',
  help: 'act on all nodes of the cluster of this file instead (docs/cluster.md)',
};

export const pauseCommand = ofCluster(
  controlCommand('pause', 'pause', 'Pauses the crawl after its requests in flight'),
  async (file) => (await import('../cluster-admin/mod.ts')).pauseCluster(file, true),
);
export const resumeCommand = ofCluster(
  controlCommand('resume', 'run', 'Resumes a paused crawl'),
  async (file) => (await import('../cluster-admin/mod.ts')).pauseCluster(file, false),
);
export const stopCommand = ofCluster(
  controlCommand('stop', 'stop', 'Stops a running gyre crawl or gyre up cleanly; the next start continues'),
  async (file) => (await import('../cluster-admin/mod.ts')).stopWholeCluster(file),
);

function controlCommand(name: string, wish: CrawlCommand, summary: string): Command {
  const run = async ({ config }: Invocation) => {
    const { root } = readData(config.data);
    if (isCrawling(root)) print(`sent ${name} to the crawl of ${config.data}${wish === 'stop' ? SAVED : ''}`);
    else print(toldWithoutCrawl(root, wish, config.data));
    writeCrawlCommand(root, wish);
  };
  const examples = [`gyre ${name}`, `gyre ${name} --cluster cluster.json`];
  return { name, positionals: '', summary, examples, settings: [], flags: [], run };
}

/** Adds the flag --cluster to a command. The clients of the services are loaded only for a cluster. */
function ofCluster(command: Command, runForCluster: (file: string) => Promise<void>): Command {
  const run = async (invocation: Invocation) => {
    const { cluster } = invocation.flags;
    if (typeof cluster !== 'string') return await command.run(invocation);
    await runForCluster(cluster);
  };
  return { ...command, flags: [...command.flags, CLUSTER], run };
}

function toldWithoutCrawl(root: Directory, wish: CrawlCommand, data: string): string {
  const none = `no crawl of ${data} is running`;
  const hint = hasCrawlState(root) ? '' : demoHint(data);
  if (hint !== '') throw new UsageError('not-running', `${none}${hint}`);
  if (wish === 'stop') throw new UsageError('not-running', `${none}`);
  if (wish === 'pause') return `${none}; the next crawl waits until ${commandFor('resume', data)}`;
  return readCrawlCommand(root) === 'pause'
    ? `${none}; the pause of the next crawl is cancelled`
    : `${none} or paused`;
}
