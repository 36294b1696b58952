import { makePdf } from '../../../src/page/pdf/pdf.fixture.ts';
import type { HostileHost } from '../attack.ts';
import { listedBody } from '../hostile-pages.ts';

/**
 * The number of draws per level. On six levels, 14 draws make 7.5 million draws: seconds of work, but less
 * than the time limit of a page.
 */
const DRAWS = 14;
export const SLOW_PDF_TITLE = 'Zygomorph tally';

/** Makes a PDF with a form that draws itself 14 times. The file is smaller than a kilobyte. */
export function slowPdf(): Buffer {
  const extra = [
    {
      dictionary: '/Subtype/Form/Resources<</XObject<</X 100 0 R>>>>',
      data: Buffer.from('/X Do '.repeat(DRAWS)),
    },
  ];
  const font = '/Font<</F<</Subtype/Type1/Encoding/WinAnsiEncoding>>>>';
  const content = `BT/F 10 Tf 50 700 Td(${SLOW_PDF_TITLE} of the meadow)Tj ET/X Do`;
  const page = `/Resources<</XObject<</X 100 0 R>>${font}>>`;
  return makePdf({ pages: [content], extra, page, info: `/Title(${SLOW_PDF_TITLE})`, fonts: {} });
}

export const pdfSlow: HostileHost = {
  name: 'pdf-slow',
  what: 'A PDF of under a kilobyte that takes seconds, but less than the time limit, on many URLs.',
  scale: { short: { hosts: 2, pages: 3 }, long: { hosts: 8, pages: 40 } },
  serve: (scale) => ({
    protocol: 'http',
    handle: listedBody(scale, slowPdf(), { 'content-type': 'application/pdf' }, '.pdf'),
  }),
};
