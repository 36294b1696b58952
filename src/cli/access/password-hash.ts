/**
 * Passwords are stored as scrypt hashes (RFC 7914), each with its own salt and its cost:
 *
 *   scrypt$15$8$1$SALT$HASH      log2(N), r, p, then 16 and 32 bytes in base64url
 *
 * A hash takes about 80 ms and 32 MiB. At most MAX_WAITING checks wait for the one that runs, so that many wrong
 * passwords cannot occupy the memory and the thread pool of the server.
 */
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { GyreError } from '../../base/mod.ts';

interface Cost {
  log2N: number;
  r: number;
  p: number;
}

const COST: Cost = { log2N: 15, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_WAITING = 8;
/** No letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP_LENGTH = 5;

/** Returns a new password with 123 random bits, such as `k7mxq-…`. */
export function randomPassword(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { log2N, r, p } = COST;
  const hash = await derive(password, salt, COST);
  return ['scrypt', log2N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Returns true if `stored` is the hash of the password. Throws `overloaded` if too many checks wait. */
export async function isPasswordOf(password: string, stored: string): Promise<boolean> {
  const [, log2N, r, p, salt = '', hash = ''] = stored.split('$');
  if (waiting >= MAX_WAITING) throw new GyreError('overloaded', 'too many passwords wait to be checked');
  waiting++;
  const next = last.then(() =>
    derive(password, Buffer.from(salt, 'base64url'), { log2N: Number(log2N), r: Number(r), p: Number(p) }),
  );
  last = next.catch(() => {});
  try {
    const expected = Buffer.from(hash, 'base64url');
    const given = await next;
    return expected.length === given.length && timingSafeEqual(expected, given);
  } finally {
    waiting--;
  }
}

function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options = { N, r, p, maxmem: 129 * N * r * p };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
