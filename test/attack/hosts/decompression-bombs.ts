import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { HostileHost } from '../attack.ts';
import { htmlPage, isSideFile, sendHtml, sendMissing } from '../hostile-pages.ts';

const INFLATED_BYTES = 50_000_000;

export const decompressionBombs: HostileHost = {
  name: 'decompression-bombs',
  what: 'Bodies in gzip, brotli and zstd that inflate to 50 MB, on many URLs.',
  scale: { short: { hosts: 2, pages: 3 }, long: { hosts: 10, pages: 60 } },
  serve({ pages }) {
    const blank = Buffer.alloc(INFLATED_BYTES, ' ');
    const params = { [constants.BROTLI_PARAM_QUALITY]: 2 };
    const bombs = [
      { coding: 'gzip', body: gzipSync(blank, { level: 1 }) },
      { coding: 'br', body: brotliCompressSync(blank, { params }) },
      { coding: 'zstd', body: zstdCompressSync(blank) },
    ];
    const home = htmlPage(
      'Bombs',
      Array.from({ length: pages }, (_, number) => `/bomb/${number}`),
    );
    return {
      protocol: 'http',
      handle(request, response) {
        if (isSideFile(request)) return sendMissing(response);
        if (request.url === '/') return sendHtml(response, home);
        const { coding, body } = bombs[Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0) % bombs.length]!;
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding }).end(body);
      },
    };
  },
};
