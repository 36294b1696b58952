import type { HostileHost } from '../attack.ts';
import { htmlPage, isSideFile, sendHtml, sendMissing } from '../hostile-pages.ts';

const LINKS = 20;

export const wildcardSubdomains: HostileHost = {
  name: 'wildcard-subdomains',
  what: 'One registrable domain whose every host links to 20 further hosts of it.',
  scale: { short: { hosts: 1, pages: 0 }, long: { hosts: 1, pages: 0, seconds: 30 } },
  hostNames: () => ['w0.wildcard-subdomains.test'],
  serve() {
    let next = 1;
    return {
      protocol: 'http',
      handle(request, response) {
        const [host, port] = (request.headers.host ?? '').split(':');
        const links = Array.from(
          { length: LINKS },
          () => `http://w${next++}.wildcard-subdomains.test:${port}/`,
        );
        if (isSideFile(request)) sendMissing(response);
        else sendHtml(response, htmlPage(`Host ${host}`, links));
      },
    };
  },
};
