import type { HostileHost } from '../attack.ts';
import { htmlPage, sendHtml, sendMissing } from '../hostile-pages.ts';

const RULES = 33_000;
const LINK_LENGTH = 1_900;

/** Makes a robots.txt of just under 500 KiB, the maximum that is parsed. */
export function wildcardRobots(): string {
  const rules = Array.from(
    { length: RULES },
    (_, number) => `Disallow:*a${number.toString(36).padStart(3, '0')}`,
  );
  return ['User-agent:*', ...rules].join('\n');
}

export const robotsWildcards: HostileHost = {
  name: 'robots-wildcards',
  what: 'A robots.txt with 33,000 wildcard rules, and pages with links of 1,900 characters.',
  scale: { short: { hosts: 1, pages: 500 }, long: { hosts: 1, pages: 4_000, seconds: 40 } },
  serve({ pages }) {
    const robots = wildcardRobots();
    const link = (number: number) => `/${'a'.repeat(LINK_LENGTH)}-${number}`;
    const home = htmlPage(
      'Rules',
      Array.from({ length: pages }, (_, number) => link(number)),
    );
    return {
      protocol: 'http',
      handle(request, response) {
        if (request.url === '/robots.txt')
          response.writeHead(200, { 'content-type': 'text/plain' }).end(robots);
        else if (request.url === '/favicon.ico') sendMissing(response);
        else sendHtml(response, request.url === '/' ? home : htmlPage('Page', []));
      },
    };
  },
};
