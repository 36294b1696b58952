import { askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

const AT_ONCE = 20;

export const wrongAdminTokens: HostileClient = {
  name: 'wrong-admin-tokens',
  what: '3,000 wrong admin tokens of one client, as fast as they are answered.',
  target: 'serve',
  endsByItself: true,
  // The client comes through a trusted proxy, because requests from this machine have no rate limit.
  settings: { adminToken: 'correct-horse-battery-staple', proxies: ['127.0.0.1'] },
  async attack({ port }, form, signal) {
    const total = form === 'short' ? 800 : 3_000;
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < total && !signal.aborted; sent += AT_ONCE) {
      const guesses = Array.from({ length: AT_ONCE }, (_, at) => {
        const headers = {
          'x-forwarded-for': '198.51.100.7',
          'x-forwarded-proto': 'https',
          authorization: `Bearer guess-${sent + at}`,
        };
        return askRaw(port, requestText('GET', '/api/v1/admin/crawl', port, headers));
      });
      for (const status of await Promise.all(guesses)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    if (statuses.has(429)) return [];
    const seen = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
    return [`expected 429 after some wrong admin tokens, got ${seen}`];
  },
};
