import { sleep } from '../../../src/base/mod.ts';
import { askAgainAndAgain, askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const PREFIXES = 400;
const INTERVAL_MS = 250;

/**
 * Returns the path of a search with 400 two-letter prefixes. The first prefix differs for each number, so
 * that no cache helps.
 */
function prefixPath(number: number): string {
  const prefixes = Array.from({ length: PREFIXES }, (_, at) => {
    const place = number * 7 + at;
    return `${LETTERS[Math.floor(place / 26) % 26]}${LETTERS[place % 26]}*`;
  });
  return `/search?q=${encodeURIComponent(prefixes.join(' '))}`;
}

export const prefixQueries: HostileClient = {
  name: 'prefix-queries',
  what: 'Queries of 400 two-letter prefixes, four a second.',
  target: 'serve',
  async attack({ port }, _form, signal) {
    for (let number = 0; !signal.aborted; number++) {
      void askRaw(port, requestText('GET', prefixPath(number), port));
      await sleep(INTERVAL_MS, signal);
    }
    return [];
  },
};

export const parallelPrefixQueries: HostileClient = {
  name: 'parallel-prefix-queries',
  what: 'Queries of 400 two-letter prefixes, always ten at once.',
  target: 'serve',
  async attack({ port }, _form, signal) {
    await askAgainAndAgain(10, signal, (number) =>
      askRaw(port, requestText('GET', prefixPath(number), port)),
    );
    return [];
  },
};
