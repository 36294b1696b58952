import { askAgainAndAgain, askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';
import { toolCall } from '../probe.ts';

export const mcpSlowPdf: HostileClient = {
  name: 'mcp-slow-pdf',
  what: 'One client that calls read_page for a PDF that is expensive to parse, again and again.',
  target: 'mcp',
  async attack({ port, slowPdfs }, _form, signal) {
    await askAgainAndAgain(1, signal, (number) => {
      const body = toolCall('read_page', { url: slowPdfs[number % slowPdfs.length]! });
      return askRaw(port, requestText('POST', '/mcp', port, { 'content-type': 'application/json' }, body));
    });
    return [];
  },
};
