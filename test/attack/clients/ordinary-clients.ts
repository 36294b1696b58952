import { sleep } from '../../../src/base/mod.ts';
import { askAgainAndAgain, askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';
import { toolCall } from '../probe.ts';

const CLIENTS = 4;
const PAUSE_MS = 500;

export const ordinaryClients: HostileClient = {
  isControl: true,
  name: 'ordinary-clients',
  what: 'Four searchers who search twice a second.',
  target: 'serve',
  attack: ({ port }, _form, signal) =>
    searchTogether(port, signal, (number) => requestText('GET', `/search?q=the+meadow+${number}`, port)),
};

export const ordinaryAssistants: HostileClient = {
  isControl: true,
  name: 'ordinary-assistants',
  what: 'Four assistants that search twice a second.',
  target: 'mcp',
  attack: ({ port }, _form, signal) =>
    searchTogether(port, signal, (number) => {
      const headers = { 'content-type': 'application/json' };
      const body = toolCall('search', { query: `the meadow ${number}` });
      return requestText('POST', '/mcp', port, headers, body);
    }),
};

async function searchTogether(
  port: number,
  signal: AbortSignal,
  search: (number: number) => string,
): Promise<string[]> {
  await askAgainAndAgain(CLIENTS, signal, async (number) => {
    await askRaw(port, search(number));
    await sleep(PAUSE_MS, signal);
  });
  return [];
}
