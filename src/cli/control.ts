/**
 * How one process asks another to pause, go on or stop: by `control.json` in the data directory, which
 * the crawl looks at twice a second. A pause holds until somebody ends it, also over a restart; a wish to
 * stop is forgotten when it has been heard, or when a crawl starts.
 *
 *   {"wish":"pause"}    or "stop"; no file means that the crawl may run
 */
import type { Directory } from '../base/mod.ts';

const FILE = 'control.json';

export type Wish = 'run' | 'pause' | 'stop';

export function readWish(root: Directory): Wish {
  if (!root.has(FILE)) return 'run';
  try {
    const { wish } = JSON.parse(root.read(FILE).toString()) as { wish: Wish };
    return wish === 'pause' || wish === 'stop' ? wish : 'run';
  } catch {
    return 'run';
  }
}

export function writeWish(root: Directory, wish: Wish): void {
  if (wish === 'run') root.remove(FILE);
  else root.replace(FILE, Buffer.from(`${JSON.stringify({ wish })}\n`));
}

export interface Controlled {
  pause(): void;
  resume(): void;
  stop(): void;
}

const POLL_MS = 500;

/** Makes the crawl follow the file; the result ends that. */
export function followWishes(root: Directory, crawl: Controlled): () => void {
  if (readWish(root) === 'stop') writeWish(root, 'run');
  const follow = () => {
    const wish = readWish(root);
    if (wish === 'pause') crawl.pause();
    else crawl.resume();
    if (wish !== 'stop') return;
    writeWish(root, 'run');
    crawl.stop();
  };
  follow();
  const timer = setInterval(follow, POLL_MS);
  return () => clearInterval(timer);
}
