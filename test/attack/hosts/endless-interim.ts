import type { HostileHost } from '../attack.ts';
import { pour } from '../pour.ts';

export const endlessInterim: HostileHost = {
  name: 'endless-interim',
  what: 'Interim responses (103) without end and never a final one, on 20 hosts.',
  scale: { short: { hosts: 10, pages: 0 }, long: { hosts: 20, pages: 0 } },
  serve: () => ({
    protocol: 'raw',
    handle: (socket) =>
      pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'.repeat(1_000))),
  }),
};
