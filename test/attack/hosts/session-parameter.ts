import { randomBytes } from 'node:crypto';
import type { HostileHost } from '../attack.ts';
import { htmlPage, isSideFile, sendHtml, sendMissing } from '../hostile-pages.ts';

const ITEMS = 10;

export const sessionParameter: HostileHost = {
  name: 'session-parameter',
  what: 'Ten pages whose every link has a fresh session parameter of an unknown name.',
  scale: { short: { hosts: 2, pages: 0 }, long: { hosts: 10, pages: 0 } },
  serve: () => ({
    protocol: 'http',
    handle(request, response) {
      const session = randomBytes(8).toString('hex');
      const links = Array.from({ length: ITEMS }, (_, item) => `/item/${item}?wander=${session}`);
      if (isSideFile(request)) sendMissing(response);
      else sendHtml(response, htmlPage(`Item ${request.url?.split('?')[0]}`, links));
    },
  }),
};
