import { openSocket, requestText, untilAborted } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

const CONNECTIONS = 16;
const SEARCHES = 300;

export const pipelinedSearches: HostileClient = {
  name: 'pipelined-searches',
  what: 'Sixteen connections with 300 pipelined searches each that never read a byte.',
  target: 'serve',
  leadSeconds: 30,
  async attack({ port }, _form, signal) {
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSocket(port)));
    for (const [at, socket] of sockets.entries()) {
      const searches = Array.from({ length: SEARCHES }, (_, number) =>
        requestText('GET', `/search?q=the+of+${at}x${number}`, port),
      );
      socket.pause().write(searches.join(''));
    }
    await untilAborted(signal);
    for (const socket of sockets) socket.destroy();
    return [];
  },
};
