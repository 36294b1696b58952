import type { HostileHost } from '../attack.ts';
import { htmlPage, isSideFile, sendHtml, sendMissing } from '../hostile-pages.ts';

const NAMES = ['north', 'south', 'east', 'west'];

export const endlessPaths: HostileHost = {
  name: 'endless-paths',
  what: 'Directories below directories without end, each with a text of its own.',
  scale: { short: { hosts: 2, pages: 0 }, long: { hosts: 10, pages: 0 } },
  serve: () => ({
    protocol: 'http',
    handle(request, response) {
      const links = NAMES.map((name, at) => `./${name}${(request.url ?? '').length + at}/`);
      if (isSideFile(request)) sendMissing(response);
      else sendHtml(response, htmlPage(`Directory ${request.url}`, links));
    },
  }),
};
