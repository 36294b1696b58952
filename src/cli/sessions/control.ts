/**
 * Lets one process ask another to pause, resume or stop, through `control.json` in the data directory. The
 * crawl reads the file twice a second. A pause lasts until it is ended, also across restarts. A stop is
 * removed when the crawl has read it, or when a crawl starts.
 *
 *   {"wish":"pause"}    or "stop"; no file means that the crawl may run
 */
import type { Directory } from '../../base/mod.ts';

const FILE = 'control.json';

export type CrawlCommand = 'run' | 'pause' | 'stop';

export function readCrawlCommand(root: Directory): CrawlCommand {
  if (!root.has(FILE)) return 'run';
  try {
    const { wish: command } = JSON.parse(root.read(FILE).toString()) as { wish: CrawlCommand };
    return command === 'pause' || command === 'stop' ? command : 'run';
  } catch {
    return 'run';
  }
}

export function writeCrawlCommand(root: Directory, command: CrawlCommand): void {
  if (command === 'run') root.remove(FILE);
  else root.replace(FILE, Buffer.from(`${JSON.stringify({ wish: command })}\n`));
}

interface Controlled {
  pause(): void;
  resume(): void;
  stop(): void;
}

const POLL_MS = 500;

/** Makes the crawl obey the commands in control.json. Returns a function that stops watching the file. */
export function watchCommands(root: Directory, crawl: Controlled): () => void {
  if (readCrawlCommand(root) === 'stop') writeCrawlCommand(root, 'run');
  const follow = () => {
    const command = readCrawlCommand(root);
    if (command === 'pause') crawl.pause();
    else crawl.resume();
    if (command !== 'stop') return;
    writeCrawlCommand(root, 'run');
    crawl.stop();
  };
  follow();
  const timer = setInterval(follow, POLL_MS);
  return () => clearInterval(timer);
}
