import type { HostileHost } from '../attack.ts';
import { htmlPage, isSideFile, sendHtml, sendMissing } from '../hostile-pages.ts';

/** The control for attacks: as many hosts as in an attack, but none of them hostile. */
export const ordinaryHosts: HostileHost = {
  isControl: true,
  name: 'ordinary-hosts',
  what: 'Twenty hosts with ordinary pages: the control, which shows what the bars allow without an attack.',
  scale: { short: { hosts: 5, pages: 20 }, long: { hosts: 20, pages: 400 } },
  serve({ pages }) {
    const home = htmlPage(
      'Home',
      Array.from({ length: pages }, (_, number) => `/page/${number}`),
    );
    return {
      protocol: 'http',
      handle(request, response) {
        if (isSideFile(request)) sendMissing(response);
        else
          sendHtml(
            response,
            request.url === '/' ? home : htmlPage(`Page ${request.url} of ${request.headers.host}`, []),
          );
      },
    };
  },
};
