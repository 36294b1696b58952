/** Tells a running `gyre up` that the operator has changed seeds or settings. */
import type { Directory } from '../../base/mod.ts';

const FILES = ['settings.json', 'gyre.json'];
const POLL_MS = 500;

/** Calls `onChange` after each change. Returns a function that stops watching. */
export function watchChanges(root: Directory, onChange: () => void): () => void {
  const read = () => FILES.map((name) => (root.has(name) ? root.read(name).toString() : '')).join('\n');
  let known = read();
  const timer = setInterval(() => {
    const now = read();
    if (now === known) return;
    known = now;
    onChange();
  }, POLL_MS);
  return () => clearInterval(timer);
}
