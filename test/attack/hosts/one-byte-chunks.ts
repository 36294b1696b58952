import type { HostileHost } from '../attack.ts';
import { pour } from '../pour.ts';

export const oneByteChunks: HostileHost = {
  name: 'one-byte-chunks',
  what: 'Bodies without end in chunks of one byte, on 30 hosts.',
  scale: { short: { hosts: 10, pages: 0 }, long: { hosts: 30, pages: 0 } },
  serve: () => ({
    protocol: 'raw',
    handle(socket) {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n');
      pour(socket, Buffer.from('1\r\nx\r\n'.repeat(10_000)));
    },
  }),
};
