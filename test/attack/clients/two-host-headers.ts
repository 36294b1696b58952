import { askRaw } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

export const twoHostHeaders: HostileClient = {
  name: 'two-host-headers',
  what: 'Requests with two Host headers, which RFC 9112 wants refused with 400.',
  target: 'serve',
  endsByItself: true,
  async attack({ port }, _form, signal) {
    const hosts = [`127.0.0.1:${port}`, 'evil.example'];
    const orders = [hosts, hosts.toReversed(), [hosts[0]!, hosts[0]!]];
    const wrong: string[] = [];
    for (const order of orders) {
      if (signal.aborted) break;
      const lines = order.map((host) => `Host: ${host}\r\n`).join('');
      const status = await askRaw(port, `GET /search?q=meadow HTTP/1.1\r\n${lines}\r\n`);
      // With status 421 the server refuses the first of the two host names, which is also acceptable.
      if (status !== 400 && status !== 421)
        wrong.push(`Host: ${order.join(' and ')}: expected 400, got ${status}`);
    }
    return wrong;
  },
};
