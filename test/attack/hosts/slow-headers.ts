import type { HostileHost } from '../attack.ts';

const DRIP_MS = 500;

export const slowHeaders: HostileHost = {
  name: 'slow-headers',
  what: 'Response headers that come one byte every half second, on 50 hosts.',
  scale: { short: { hosts: 20, pages: 0 }, long: { hosts: 50, pages: 0 } },
  serve: () => ({
    protocol: 'raw',
    handle(socket) {
      socket.write('HTTP/1.1 200 OK\r\nx-filler: ');
      const timer = setInterval(() => void socket.write('a'), DRIP_MS);
      socket.on('close', () => clearInterval(timer));
    },
  }),
};
