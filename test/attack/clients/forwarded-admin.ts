import { askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

/** Headers that proxies add to a request; each shows that the request does not come from this machine. */
const FORWARDING: Record<string, string> = {
  via: '1.1 proxy.example',
  forwarded: 'for=198.51.100.7',
  'x-real-ip': '198.51.100.7',
  'x-forwarded-for': '198.51.100.7',
  'x-forwarded-host': 'search.example',
  'x-forwarded-proto': 'https',
  'cf-connecting-ip': '198.51.100.7',
};

export const forwardedAdmin: HostileClient = {
  name: 'forwarded-admin',
  what: 'Requests to the admin API without a token, each with a header that a proxy adds.',
  target: 'serve',
  endsByItself: true,
  async attack({ port }, _form, signal) {
    const wrong: string[] = [];
    for (const [name, value] of Object.entries(FORWARDING)) {
      if (signal.aborted) break;
      const status = await askRaw(port, requestText('GET', '/api/v1/admin/crawl', port, { [name]: value }));
      if (status !== 403) wrong.push(`${name}: expected 403, got ${status}`);
    }
    return wrong;
  },
};
