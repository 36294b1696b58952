/**
 * Blobs as objects in a bucket of S3, or of a server with the same protocol.
 *
 * A blob never changes: `put` sends `If-None-Match: *`, so that the server refuses a second object with the same name,
 * also if two nodes write at once. Only then is the existing object read and compared. The server checks the
 * MD5 digest of the bytes that it receives.
 */
import { createHash } from 'node:crypto';
import { S3 } from '@aws-sdk/client-s3';
import { type BlobStore, checkBlobName, GyreError, messageOf, systemCode } from '../base/mod.ts';
import { ServiceError } from './service-error.ts';

export interface S3Options {
  bucket: string;
  /** The beginning of all object names, for example `segments/`. Stores in one bucket have different prefixes. */
  prefix: string;
  /** The address of an S3 server other than AWS: `http://127.0.0.1:9000`. */
  endpoint?: string;
  region?: string;
  /** The access key. Without it, the environment, the files of the AWS tools or the role of the machine has one. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

const DEFAULT_REGION = 'us-east-1';
const CONNECT_MS = 5_000;
const REQUEST_MS = 60_000;
const MAX_CONFLICTS = 5;

/** Error codes of S3 for wrong access keys. */
const REFUSED = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'CredentialsProviderError',
]);

/**
 * Opens the blobs in a bucket. Rejects with a `ServiceError` if the server is unreachable, refuses the access key or
 * does not have the bucket. All methods reject with such errors too, after three attempts.
 */
export async function openS3BlobStore(options: S3Options): Promise<BlobStore> {
  const store = new S3BlobStore(options);
  await store.check();
  return store;
}

class S3BlobStore implements BlobStore {
  readonly #options: S3Options;
  readonly #client: S3;

  constructor(options: S3Options) {
    const { endpoint, region = DEFAULT_REGION, credentials } = options;
    this.#options = options;
    this.#client = new S3({
      region,
      ...(credentials && { credentials }),
      // Servers other than AWS have no host name for each bucket.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      // Servers of other vendors do not know the checksums in trailers that the client would send by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS },
    });
  }

  async check(): Promise<void> {
    await this.#ask('read', () => this.#client.listObjectsV2({ Bucket: this.#options.bucket, MaxKeys: 1 }));
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    checkBlobName(name);
    const object = {
      ...this.#object(name),
      Body: bytes,
      ContentMD5: createHash('md5').update(bytes).digest('base64'),
      IfNoneMatch: '*',
    };
    for (let conflicts = 0; ; conflicts++) {
      try {
        await this.#client.putObject(object);
        return;
      } catch (error) {
        const status = statusOf(error);
        // 412: the object exists. 409: another request is writing it.
        if (status === 412) return await this.#compare(name, bytes);
        if (status !== 409 || conflicts === MAX_CONFLICTS) throw this.#explain(error, 'write', name);
      }
    }
  }

  async get(name: string): Promise<Buffer> {
    return await this.#read(name);
  }

  async range(name: string, start: number, length: number): Promise<Buffer> {
    try {
      // S3 does not accept an empty range, so at least one byte is requested.
      const bytes = await this.#read(name, `bytes=${start}-${start + Math.max(length, 1) - 1}`);
      return bytes.subarray(0, length);
    } catch (error) {
      if (error instanceof Error && statusOf(error.cause) === 416) return Buffer.alloc(0);
      throw error;
    }
  }

  async list(prefix: string): Promise<string[]> {
    const { bucket, prefix: start } = this.#options;
    const names: string[] = [];
    let token: string | undefined;
    do {
      const page = await this.#ask('read', () =>
        this.#client.listObjectsV2({
          Bucket: bucket,
          Prefix: start + prefix,
          ...(token !== undefined && { ContinuationToken: token }),
        }),
      );
      for (const { Key = '' } of page.Contents ?? []) names.push(Key.slice(start.length));
      token = page.NextContinuationToken;
    } while (token !== undefined);
    return names.sort();
  }

  async delete(name: string): Promise<void> {
    await this.#ask('write', () => this.#client.deleteObject(this.#object(name)));
  }

  async #compare(name: string, bytes: Uint8Array): Promise<void> {
    if ((await this.#read(name)).equals(bytes)) return;
    throw new GyreError('blob-exists', `${name} in ${this.#place()} has other bytes, and blobs never change`);
  }

  async #read(name: string, range?: string): Promise<Buffer> {
    const request = async () => {
      const { Body } = await this.#client.getObject({
        ...this.#object(name),
        ...(range !== undefined && { Range: range }),
      });
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    };
    return await this.#ask('read', request, name);
  }

  async #ask<T>(access: 'read' | 'write', request: () => Promise<T>, name?: string): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw this.#explain(error, access, name);
    }
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucket, Key: this.#options.prefix + name };
  }

  #place(): string {
    return `bucket "${this.#options.bucket}" of ${this.#server()}`;
  }

  #server(): string {
    const { endpoint, region = DEFAULT_REGION } = this.#options;
    return endpoint === undefined ? `S3 in ${region}` : `S3 at ${new URL(endpoint).host}`;
  }

  /** Converts an error of the client to one that names the service and the remedy. */
  #explain(error: unknown, access: 'read' | 'write', name = ''): GyreError {
    const code = error instanceof Error ? error.name : '';
    const status = statusOf(error);
    const { bucket } = this.#options;
    const fail = (problem: string, canHeal: boolean, message: string) =>
      new ServiceError(problem, 's3', canHeal, message, { cause: error });
    if (code === 'NoSuchBucket')
      return fail(
        'no-bucket',
        false,
        `${this.#server()} has no bucket "${bucket}": create it, or correct its name in the configuration`,
      );
    if (status === 404)
      return new GyreError('no-blob', `there is no ${name} in ${this.#place()}`, { cause: error });
    if (status === 416) return new GyreError('no-range', 'the range begins after the blob', { cause: error });
    if (REFUSED.has(code))
      return fail(
        'service-refused',
        false,
        `${this.#server()} refuses the access key (${code}): expected a valid access key and secret key; correct them`,
      );
    if (status === 403 && access === 'write')
      return fail(
        'bucket-read-only',
        false,
        `${this.#place()} does not allow writing (${code}): allow s3:PutObject and s3:DeleteObject for the access key`,
      );
    if (status === 403)
      return fail(
        'service-refused',
        false,
        `${this.#place()} does not allow reading (${code}): allow s3:GetObject and s3:ListBucket for the access key`,
      );
    const reason = systemCode(error) || (status > 0 ? `HTTP ${status} ${code}` : messageOf(error));
    return fail(
      'service-unreachable',
      true,
      `${this.#server()} is unreachable (${reason}): check that the server runs and that the endpoint in the configuration is correct`,
    );
  }
}

/** Returns the HTTP status of an error of the client, or 0 if there was no response. */
function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return 0;
  return (error.$metadata as { httpStatusCode?: number }).httpStatusCode ?? 0;
}
