import { openSocket, untilAborted } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

const CONNECTIONS = 40;
const DRIP_MS = 1_000;
/**
 * The time after which the server should have closed the connections. It is longer than any message needs.
 */
const PATIENCE_MS = 60_000;

export const mcpDrippedBodies: HostileClient = {
  name: 'mcp-dripped-bodies',
  what: 'Forty connections that send the body of a message a byte a second.',
  target: 'mcp',
  longSeconds: 65,
  async attack({ port }, _form, signal) {
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSocket(port)));
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{`;
    for (const socket of sockets) socket.write(head);
    const drip = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(' ');
    }, DRIP_MS);
    let openLater = 0;
    const look = setTimeout(() => {
      openLater = sockets.filter((socket) => !socket.destroyed).length;
    }, PATIENCE_MS);
    await untilAborted(signal);
    clearInterval(drip);
    clearTimeout(look);
    for (const socket of sockets) socket.destroy();
    if (openLater === 0) return [];
    return [`${openLater} of ${CONNECTIONS} requests whose body is dripped were still open after a minute`];
  },
};
