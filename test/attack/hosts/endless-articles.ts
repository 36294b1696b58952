import type { HostileHost } from '../attack.ts';
import { htmlPage, isSideFile, sendHtml, sendMissing } from '../hostile-pages.ts';

const LINKS = 20;

export const endlessArticles: HostileHost = {
  name: 'endless-articles',
  what: 'Articles without end at /article/N, each with a text of its own and links to 20 others.',
  scale: { short: { hosts: 2, pages: 0 }, long: { hosts: 10, pages: 0 } },
  serve: () => ({
    protocol: 'http',
    handle(request, response) {
      const number = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0);
      const links = Array.from({ length: LINKS }, (_, at) => `/article/${number * LINKS + at + 1}`);
      if (isSideFile(request)) sendMissing(response);
      else sendHtml(response, htmlPage(`Article ${number}`, links));
    },
  }),
};
