/**
 * Answers that are often asked for again and seldom change: feeds, descriptions, small pictures. Each carries a tag of its
 * content (RFC 9110, § 8.8.3); who has that content already is told so in a few bytes.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
): FastifyReply {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', tag);
  return isKnown(request.headers['if-none-match'] ?? '', tag) ? reply.code(304).send() : reply.send(body);
}

/** Compared weakly, as § 13.1.2 wants it: a proxy that compressed the answer may have marked the tag. */
function isKnown(header: string, tag: string): boolean {
  return header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag);
}
