import { askAgainAndAgain, askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

export const cachedSlowPdf: HostileClient = {
  name: 'cached-slow-pdf',
  what: 'One client that asks for the cached copy of a PDF that is expensive to parse, again and again.',
  target: 'serve',
  async attack({ port, slowPdfs }, _form, signal) {
    await askAgainAndAgain(1, signal, (number) => {
      const url = encodeURIComponent(slowPdfs[number % slowPdfs.length]!);
      const route = number % 2 === 0 ? '/cached' : '/cached/copy';
      return askRaw(port, requestText('GET', `${route}?url=${url}`, port));
    });
    return [];
  },
};
