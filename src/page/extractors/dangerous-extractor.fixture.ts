/**
 * A misbehaving extractor for tests. Depending on the path of the page, it loops for ever, ends its thread,
 * uses up all memory, throws, or throws after it has returned.
 */

import { parsePage } from '../parse-page.ts';
import type { Extractor } from './extractor.ts';

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
  contentTypes: ['application/x-strange'],
  matches: () => true,
  extract(input, parse) {
    DANGERS[new URL(input.url).pathname]?.();
    return parse() ?? parsePage({ ...input, contentType: 'text/html' });
  },
};
