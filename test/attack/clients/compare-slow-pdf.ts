import { askAgainAndAgain, askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';

export const compareSlowPdf: HostileClient = {
  name: 'compare-slow-pdf',
  what: 'One client that compares copies of a PDF that is expensive to parse, again and again.',
  target: 'serve',
  async attack({ port, slowPdfs }, _form, signal) {
    await askAgainAndAgain(1, signal, (number) => {
      const url = encodeURIComponent(slowPdfs[number % slowPdfs.length]!);
      return askRaw(port, requestText('GET', `/cached/compare?url=${url}`, port));
    });
    return [];
  },
};
