/**
 * Compresses pages with a coding that the browser accepts. Compression shrinks a page to a fifth. It takes 0.1
 * ms, but saves about as much time, because the kernel copies less data. Compression reveals no secrets through
 * the size of a page (as in the BREACH attack), because no page combines a secret with text that an attacker
 * may have chosen.
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Coding = 'br' | 'gzip' | 'identity';

/** Returns the fastest coding that the browser accepts. Many browsers accept Brotli only over HTTPS. */
export function codingOf({ headers }: FastifyRequest): Coding {
  const accepted = String(headers['accept-encoding'] ?? '');
  return (['br', 'gzip'] as const).find((coding) => takes(accepted, coding)) ?? 'identity';
}

export function compressPage(page: Buffer, coding: Coding): Buffer {
  if (coding === 'br') return brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return coding === 'gzip' ? gzipSync(page, { level: 3 }) : page;
}

/**
 * Sends a compressed page. The content-encoding header is set only here, because the error page of a failed
 * search is not compressed.
 */
export function sendCoded(reply: FastifyReply, page: Buffer, coding: Coding): FastifyReply {
  return coding === 'identity' ? reply.send(page) : reply.header('content-encoding', coding).send(page);
}

/**
 * Returns true if an Accept-Encoding header accepts a coding (RFC 9110, § 12.5.3): the coding is listed by
 * name and its weight is not 0.
 */
function takes(accepted: string, coding: string): boolean {
  return accepted.split(',').some((range) => {
    const [name, weight = ''] = range.split(';');
    return name!.trim().toLowerCase() === coding && !/^\s*q=0(?:\.0*)?\s*$/.test(weight);
  });
}
