import { askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

const PATHS = ['/preferences', '/preferences/rule', '/preferences/rules', '/preferences/rules/file'];
const BODIES = ['null', '[]', '"text"', '{"rule":17,"back":{},"site-0":17,"effect-0":"block","file":[1]}'];

export const jsonForms: HostileClient = {
  name: 'json-forms',
  what: 'JSON of every kind sent to the forms for preferences.',
  target: 'serve',
  endsByItself: true,
  async attack({ port }, _form, signal) {
    const wrong: string[] = [];
    for (const path of PATHS) {
      if (signal.aborted) break;
      for (const body of BODIES) {
        const headers = { 'content-type': 'application/json' };
        const status = await askRaw(port, requestText('POST', path, port, headers, body));
        if (status === 0 || status >= 500)
          wrong.push(`POST ${path} with the JSON ${body}: expected a status below 500, got ${status}`);
      }
    }
    return wrong;
  },
};
