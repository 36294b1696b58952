/**
 * An extractor that does what none should, to the pages whose address says so: it never comes back, ends its
 * thread, takes all memory, throws, or throws when nobody listens any more.
 */
import { type Extractor, parsePage } from './mod.ts';

const DANGERS: Record<string, () => void> = {
  '/loop': () => {
    for (;;);
  },
  '/exit': () => process.exit(3),
  '/memory': () => {
    const hoard: number[][] = [];
    for (;;) hoard.push(new Array<number>(1_000_000).fill(hoard.length));
  },
  '/throw': () => {
    throw new Error('thrown by an extractor');
  },
  '/later': () => {
    setTimeout(() => {
      throw new Error('thrown later');
    });
  },
};

export const dangerous: Extractor = {
  name: 'dangerous',
  matches: () => true,
  extract(input, parse) {
    DANGERS[new URL(input.url).pathname]?.();
    return parse() ?? parsePage({ ...input, contentType: 'text/html' });
  },
};
