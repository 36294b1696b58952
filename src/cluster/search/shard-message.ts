/**
 * The messages between gateways and search nodes, as bodies of HTTP requests and responses.
 *
 *   magic      4 bytes   GYSM
 *   version    u8        PROTOCOL_VERSION
 *   format     u8        version of V8's format of the parts
 *   nonce      8 bytes   random; makes every request different
 *   count      u8        number of parts
 *   parts      per part: length u32, then a value in the format of `v8.serialize`
 *   seal       32 bytes  HMAC-SHA256 of all bytes before it
 *
 * Example: a message with the one part `null` has the bytes
 *
 *   47 59 53 4D  01  0F  (8 random bytes)  01  03 00 00 00  FF 0F 30  (32 bytes of the seal)
 *
 * The key of the seal is derived from the secret of the cluster. The seal of a reply also covers the seal of
 * its request, so a reply to another request is refused. The seal is verified before any value is decoded: the
 * decoder of V8 only sees bytes that a node of the same cluster has written, and damaged bytes are detected.
 * The seal does not hide the contents; the network between the nodes must be private.
 *
 * V8's format is used because requests have maps, sets, bigints and typed arrays: it keeps all of them, is faster than
 * any library written in JavaScript, and needs no schema.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { GyreError, messageOf } from '../../base/mod.ts';

const MAGIC = Buffer.from('GYSM', 'latin1');
const PROTOCOL_VERSION = 1;
/** The second byte of a serialized value is the version of the format. */
const FORMAT_VERSION = serialize(null)[1]!;
const FORMAT_AT = 5;
const NONCE_AT = 6;
const NONCE_BYTES = 8;
const COUNT_AT = NONCE_AT + NONCE_BYTES;
const HEADER_BYTES = COUNT_AT + 1;
const SEAL_BYTES = 32;
const LENGTH_BYTES = 4;
const NO_REQUEST = Buffer.alloc(0);

/**
 * The error for a message that cannot be used. The code is `message-version` if the peer has another version,
 * otherwise `message-refused`.
 */
export class MessageError extends GyreError {}

/** Returns the key of the seals for the secret of a cluster. */
export function messageKey(secret: string): Buffer {
  return createHmac('sha256', 'gyre shard messages').update(secret).digest();
}

export function encodePart(value: unknown): Buffer {
  return serialize(value);
}

/** Decodes a part of a message whose seal has been verified. */
export function decodePart(part: Buffer): unknown {
  try {
    return deserialize(part);
  } catch (error) {
    throw new MessageError('message-refused', `a part of the message is unreadable: ${messageOf(error)}`);
  }
}

/** Writes a message. `request` is the seal of the request if this is a reply. */
export function sealMessage(parts: readonly Buffer[], key: Buffer, request: Buffer = NO_REQUEST): Buffer {
  const length = parts.reduce((sum, part) => sum + LENGTH_BYTES + part.length, HEADER_BYTES);
  const bytes = Buffer.allocUnsafeSlow(length + SEAL_BYTES);
  MAGIC.copy(bytes);
  bytes[MAGIC.length] = PROTOCOL_VERSION;
  bytes[FORMAT_AT] = FORMAT_VERSION;
  randomBytes(NONCE_BYTES).copy(bytes, NONCE_AT);
  bytes[COUNT_AT] = parts.length;
  let at = HEADER_BYTES;
  for (const part of parts) {
    at = bytes.writeUInt32LE(part.length, at);
    at += part.copy(bytes, at);
  }
  sealOf(bytes.subarray(0, at), key, request).copy(bytes, at);
  return bytes;
}

/** Returns the parts of a message. Throws a `MessageError` if its seal is wrong or its version differs. */
export function openMessage(bytes: Buffer, key: Buffer, request: Buffer = NO_REQUEST): Buffer[] {
  if (bytes.length < HEADER_BYTES + SEAL_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new MessageError('message-refused', 'these bytes are not a message of Gyre');
  // The version comes first, because a later version may compute the seal in another way.
  checkVersion(bytes);
  const end = bytes.length - SEAL_BYTES;
  if (!timingSafeEqual(sealOf(bytes.subarray(0, end), key, request), bytes.subarray(end)))
    throw new MessageError(
      'message-refused',
      'the seal of the message is wrong: expected a message of a node with the same cluster secret, got other or damaged bytes; set the same secret on all nodes',
    );
  return partsOf(bytes, end);
}

/** Returns the seal at the end of a request, which the seal of its reply covers. */
export function sealAtEnd(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.length - SEAL_BYTES);
}

function checkVersion(bytes: Buffer): void {
  const version = bytes[MAGIC.length]!;
  const format = bytes[FORMAT_AT]!;
  if (version === PROTOCOL_VERSION && format <= FORMAT_VERSION) return;
  throw new MessageError(
    'message-version',
    `expected a message of version ${PROTOCOL_VERSION} with values of version ${FORMAT_VERSION}, got ${version} with ${format}: run the same version of Gyre on all nodes`,
  );
}

function partsOf(bytes: Buffer, end: number): Buffer[] {
  const parts: Buffer[] = [];
  let at = HEADER_BYTES;
  for (let left = bytes[COUNT_AT]!; left > 0; left--) {
    if (at + LENGTH_BYTES > end) throw cutOff();
    const from = at + LENGTH_BYTES;
    at = from + bytes.readUInt32LE(at);
    if (at > end) throw cutOff();
    parts.push(bytes.subarray(from, at));
  }
  return parts;
}

function cutOff(): MessageError {
  return new MessageError('message-refused', 'a part of the message is longer than the message');
}

function sealOf(bytes: Buffer, key: Buffer, request: Buffer): Buffer {
  return createHmac('sha256', key).update(request).update(bytes).digest();
}
