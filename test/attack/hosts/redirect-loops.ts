import type { HostileHost } from '../attack.ts';
import { isSideFile, sendMissing } from '../hostile-pages.ts';

export const redirectLoops: HostileHost = {
  name: 'redirect-loops',
  what: 'Redirects to ever new URLs of the same host, and no page at all.',
  scale: { short: { hosts: 4, pages: 0 }, long: { hosts: 20, pages: 0 } },
  serve: () => ({
    protocol: 'http',
    handle(request, response) {
      if (isSideFile(request)) return sendMissing(response);
      const number = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0);
      response.writeHead(302, { location: `/hop/${number + 1}` }).end();
    },
  }),
};
