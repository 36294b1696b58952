/**
 * Checks a token or key that a client sent. It is compared with all secrets by SHA-256 digests and in
 * constant time, so that the response time reveals nothing about the content or length of a secret. A client
 * that sent too many wrong credentials gets 429 for the rest of the minute, even if it then sends the right
 * credential. Otherwise the client could continue to guess.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestProblem } from '../errors.ts';
import type { RateLimit } from './rate-limit.ts';

interface CredentialCheck {
  accepts(sent: string): boolean;
  /**
   * Returns the credential in the request; empty if the request has none. A request without a credential is
   * refused, but does not count as a guess.
   */
  sentBy(request: FastifyRequest): string;
  wrong: RateLimit;
  realm: string;
  refusal(): RequestProblem;
}

const DIGEST_PREFIX = 'sha256:';

/**
 * Returns a function that compares a credential with all secrets, in constant time. A secret is written as it is sent,
 * or as its digest: `sha256:` and 64 hexadecimal digits.
 */
export function acceptsAny(secrets: readonly string[]): (sent: string) => boolean {
  const digests = secrets.map((secret) =>
    secret.startsWith(DIGEST_PREFIX)
      ? Buffer.from(secret.slice(DIGEST_PREFIX.length), 'hex')
      : digestOf(secret),
  );
  return (sent) => {
    const given = digestOf(sent);
    return digests.filter((digest) => timingSafeEqual(digest, given)).length > 0;
  };
}

/** Returns a hook that throws unless the request has an accepted credential. */
export function requireCredential({ accepts, sentBy, wrong, realm, refusal }: CredentialCheck) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const problem = wrong.check(request, reply);
    if (problem) throw problem;
    const sent = sentBy(request);
    if (accepts(sent)) return;
    if (sent !== '') wrong.count(request);
    reply.header('www-authenticate', realm);
    throw refusal();
  };
}

export function bearerIn({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
