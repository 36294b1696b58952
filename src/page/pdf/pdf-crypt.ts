/**
 * Decrypts PDFs that are encrypted with an empty user password, so that anyone may open them (ISO 32000-2, §
 * 7.6). Many files are encrypted like this to forbid printing or copying. Viewers show them without asking for
 * a password, so they are read here too. A file that needs a real password is not read.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { WorkBudget } from '../../base/mod.ts';
import { type Dictionary, Name, type Value } from './pdf-values.ts';

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** The steps of the work budget that each decryption costs, however short the string is. */
const DECRYPTION_STEPS = 100;

type Scheme = 'none' | 'rc4' | 'aes128' | 'aes256';

export class Decryptor {
  readonly #key: Buffer;
  readonly #streams: Scheme;
  readonly #strings: Scheme;
  readonly #budget: WorkBudget;

  private constructor(key: Buffer, streams: Scheme, strings: Scheme, budget: WorkBudget) {
    this.#key = key;
    this.#budget = budget;
    this.#streams = streams;
    this.#strings = strings;
  }

  /** Prepares the decryption of a file. Returns null if the empty password does not open it. */
  static open(
    encryption: Dictionary,
    id: readonly Value[],
    budget: WorkBudget,
    resolve: (value?: Value) => Value,
  ): Decryptor | null {
    const settings = new Settings(encryption, id, resolve);
    if (settings.handler !== 'Standard') return null;
    const key = settings.revision >= 5 ? modernKey(settings) : classicKey(settings);
    return key && new Decryptor(key, settings.schemeOf('StmF'), settings.schemeOf('StrF'), budget);
  }

  bytes(data: Buffer, number: number, generation: number): Buffer {
    return this.#decrypt(this.#streams, data, number, generation);
  }

  /** Decrypts all strings in a value. `number` and `generation` identify the object that contains the value. */
  value(value: Value, number: number, generation: number): Value {
    if (typeof value === 'string') {
      return this.#decrypt(this.#strings, Buffer.from(value, 'latin1'), number, generation).toString(
        'latin1',
      );
    }
    if (Array.isArray(value)) return value.map((each) => this.value(each, number, generation));
    if (!(value instanceof Map)) return value;
    return new Map([...value].map(([name, each]) => [name, this.value(each, number, generation)]));
  }

  #decrypt(scheme: Scheme, data: Buffer, number: number, generation: number): Buffer {
    if (scheme === 'none' || !this.#budget.step(DECRYPTION_STEPS) || !this.#budget.decode(data.length))
      return data;
    if (scheme === 'aes256') return decryptAes('aes-256-cbc', this.#key, data);
    const salt = Buffer.from([number, number >> 8, number >> 16, generation, generation >> 8]);
    const parts = [this.#key, salt, ...(scheme === 'aes128' ? [Buffer.from('sAlT')] : [])];
    const key = md5(...parts).subarray(0, Math.min(16, this.#key.length + 5));
    if (scheme === 'rc4') return rc4(key, data);
    // If a file names a cipher that does not fit the length of its key, the data stays encrypted.
    return key.length === 16 ? decryptAes('aes-128-cbc', key, data) : data;
  }
}

/** The encryption dictionary with defaults for missing entries. */
class Settings {
  readonly handler: string;
  readonly version: number;
  readonly revision: number;
  readonly permissions: number;
  readonly keyBytes: number;
  readonly encryptsMetadata: boolean;
  readonly id: Buffer;
  readonly #encryption: Dictionary;
  readonly #resolve: (value?: Value) => Value;

  constructor(encryption: Dictionary, id: readonly Value[], resolve: (value?: Value) => Value) {
    this.#encryption = encryption;
    this.#resolve = resolve;
    const number = (name: string, fallback: number) => {
      const value = resolve(encryption.get(name));
      return typeof value === 'number' ? value : fallback;
    };
    const filter = resolve(encryption.get('Filter'));
    this.handler = filter instanceof Name ? filter.text : '';
    this.version = number('V', 0);
    this.revision = number('R', 2);
    this.permissions = number('P', 0) | 0;
    this.keyBytes = this.version === 1 ? 5 : this.version === 4 ? 16 : number('Length', 40) >> 3;
    this.encryptsMetadata = resolve(encryption.get('EncryptMetadata')) !== false;
    const first = resolve(id[0]);
    this.id = Buffer.from(typeof first === 'string' ? first : '', 'latin1');
  }

  bytes(name: string, length: number): Buffer {
    const value = this.#resolve(this.#encryption.get(name));
    return Buffer.from(typeof value === 'string' ? value : '', 'latin1').subarray(0, length);
  }

  schemeOf(use: 'StmF' | 'StrF'): Scheme {
    if (this.version < 4) return 'rc4';
    const name = this.#resolve(this.#encryption.get(use));
    const filters = this.#resolve(this.#encryption.get('CF'));
    const filter =
      filters instanceof Map && name instanceof Name ? this.#resolve(filters.get(name.text)) : null;
    const method = filter instanceof Map ? this.#resolve(filter.get('CFM')) : null;
    switch (method instanceof Name ? method.text : '') {
      case 'V2':
        return 'rc4';
      case 'AESV2':
        return 'aes128';
      case 'AESV3':
        return this.revision >= 5 ? 'aes256' : 'none';
      default:
        return 'none';
    }
  }
}

/**
 * Computes the key of a file of revision 2 to 4 with the empty password (algorithms 2, 4 and 5 of the
 * standard).
 */
function classicKey(settings: Settings): Buffer | null {
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(settings.permissions);
  const rest = settings.revision >= 4 && !settings.encryptsMetadata ? [Buffer.alloc(4, 0xff)] : [];
  let key = md5(PADDING, settings.bytes('O', 32), permissions, settings.id, ...rest).subarray(
    0,
    settings.keyBytes,
  );
  if (settings.revision >= 3) {
    for (let i = 0; i < 50; i++) key = md5(key).subarray(0, settings.keyBytes);
  }
  const proof = settings.bytes('U', 32);
  return proofOf(settings, key).equals(proof.subarray(0, settings.revision >= 3 ? 16 : 32)) ? key : null;
}

function proofOf(settings: Settings, key: Buffer): Buffer {
  if (settings.revision < 3) return rc4(key, PADDING);
  let proof = rc4(key, md5(PADDING, settings.id));
  for (let i = 1; i < 20; i++) proof = rc4(Buffer.from(key.map((byte) => byte ^ i)), proof);
  return proof;
}

/** Computes the key of a file of revision 5 or 6 with the empty password (algorithm 2.A). */
function modernKey(settings: Settings): Buffer | null {
  const user = settings.bytes('U', 48);
  const wrapped = settings.bytes('UE', 32);
  if (user.length < 48 || wrapped.length < 32) return null;
  const hash = settings.revision === 5 ? sha(256) : hardenedHash;
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return null;
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16));
  return decipher.setAutoPadding(false).update(wrapped);
}

/** Computes the password hash of revision 6 (algorithm 2.B), which is deliberately slow. */
function hardenedHash(salt: Buffer): Buffer {
  let key = sha(256)(salt);
  for (let round = 0; round < 1_000; round++) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(
      false,
    );
    const encrypted = cipher.update(Buffer.concat(Array<Buffer>(64).fill(key)));
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = sha([256, 384, 512][remainder]!)(encrypted);
    if (round >= 63 && encrypted.at(-1)! <= round - 31) break;
  }
  return key.subarray(0, 32);
}

/** Decrypts AES data. The first block is the initialisation vector. An incomplete last block is ignored. */
function decryptAes(algorithm: string, key: Buffer, data: Buffer): Buffer {
  const body = data.subarray(16, data.length - (data.length % 16));
  if (data.length < 32) return Buffer.alloc(0);
  const plain = createDecipheriv(algorithm, key, data.subarray(0, 16)).setAutoPadding(false).update(body);
  const padding = plain.at(-1)!;
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : plain;
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  const result = Buffer.alloc(data.length);
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255;
    j = (j + state[i]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
    result[at] = data[at]! ^ state[(state[i]! + state[j]!) & 255]!;
  }
  return result;
}

function md5(...parts: Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function sha(bits: number): (data: Buffer) => Buffer {
  return (data) => createHash(`sha${bits}`).update(data).digest();
}
