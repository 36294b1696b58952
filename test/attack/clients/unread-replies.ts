import { openSocket, requestText, untilAborted } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

const CONNECTIONS = 16;
/**
 * The number of cached copies that the client requests and does not read. Together they have more bytes than
 * the kernel buffers for one connection.
 */
const COPIES = 4;

export const unreadReplies: HostileClient = {
  name: 'unread-replies',
  what: 'Sixteen connections that ask for large copies of pages and never read a byte.',
  target: 'serve',
  leadSeconds: 30,
  async attack({ port, largePage }, _form, signal) {
    const path = `/cached/copy?url=${encodeURIComponent(largePage)}`;
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSocket(port)));
    for (const socket of sockets) socket.pause().write(requestText('GET', path, port).repeat(COPIES));
    await untilAborted(signal);
    for (const socket of sockets) socket.destroy();
    return [];
  },
};
