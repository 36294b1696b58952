/**
 * gyre pause, gyre resume, gyre stop: control a running crawl from another terminal. A pause also applies to
 * a crawl that is started later; a stop requires a running crawl.
 */
import { type Directory, UsageError } from '../../base/mod.ts';
import { hasCrawlState } from '../../crawl/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { demoHint, readData } from '../data-directory.ts';
import { isCrawling } from '../locks.ts';
import { print } from '../output.ts';
import { type CrawlCommand, readCrawlCommand, writeCrawlCommand } from '../sessions/control.ts';

const SAVED = '; it finishes and saves the requests in flight first';

export const pauseCommand = controlCommand('pause', 'pause', 'Pauses the crawl after its requests in flight');
export const resumeCommand = controlCommand('resume', 'run', 'Resumes a paused crawl');
export const stopCommand = controlCommand(
  'stop',
  'stop',
  'Stops a running gyre crawl or gyre up cleanly; the next start continues',
);

function controlCommand(name: string, wish: CrawlCommand, summary: string): Command {
  const run = async ({ config }: Invocation) => {
    const { root } = readData(config.data);
    if (isCrawling(root)) print(`sent ${name} to the crawl of ${config.data}${wish === 'stop' ? SAVED : ''}`);
    else print(toldWithoutCrawl(root, wish, config.data));
    writeCrawlCommand(root, wish);
  };
  return { name, positionals: '', summary, settings: [], flags: [], run };
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
