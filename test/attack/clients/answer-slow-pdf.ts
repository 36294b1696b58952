import { askAgainAndAgain, askRaw, requestText } from '../ask-raw.ts';
import type { HostileClient } from '../attack.ts';
import { SLOW_PDF_TITLE } from '../hosts/pdf-slow.ts';

export const answerSlowPdf: HostileClient = {
  name: 'answer-slow-pdf',
  what: 'One client that asks for answer boxes about a PDF that is expensive to parse, again and again.',
  target: 'serve',
  async attack({ port }, _form, signal) {
    await askAgainAndAgain(1, signal, (number) => {
      // Uses a different query each time, because answers are cached.
      const query = encodeURIComponent(`${SLOW_PDF_TITLE} ${number === 0 ? '' : number}`.trim());
      return askRaw(port, requestText('GET', `/api/v1/answers?q=${query}`, port));
    });
    return [];
  },
};
