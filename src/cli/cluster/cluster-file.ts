/**
 * The cluster file: the services, the name and the settings of a cluster. All nodes use the same file.
 *
 *   {
 *     "name": "web",
 *     "postgresql": "postgres://gyre:${PGPASSWORD}@db.example/gyre",
 *     "rabbitmq": "amqp://gyre:${RABBITMQ_PASSWORD}@mq.example/gyre",
 *     "s3": { "bucket": "gyre", "endpoint": "https://s3.example", "region": "eu-central-1" },
 *     "shards": 4,
 *     "search": { "secret": "${CLUSTER_SECRET}", "replicas": 2, "cacheSize": "100Gi" },
 *     "seeds": ["https://example.org/"],
 *     "settings": { "contact": "https://example.org/bot", "crawl": { "delay": "1s" } }
 *   }
 *
 * `${NAME}` in a string is the value of an environment variable, percent-encoded in a URL. Therefore the file
 * needs to contain no secrets. Without `accessKeyId`, the S3 client finds its key as the tools of AWS do.
 * docs/configuration.md describes the `settings`.
 */
import { readFileSync } from 'node:fs';
import { messageOf, parseSize, UsageError } from '../../base/mod.ts';
import type { S3Options } from '../../cluster/mod.ts';
import type { CollectionSeed } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { collectionSeedsOf, readSeedLine } from '../seeds/mod.ts';

export interface ClusterFile {
  /** The path of the file, for error messages. */
  file: string;
  name: string;
  postgresql: string;
  rabbitmq: string;
  s3: Omit<S3Options, 'prefix'>;
  shards: number;
  search: {
    /** The secret of the messages between gateways and search nodes; null if there is none. */
    secret: string | null;
    /** The number of search nodes that have each shard. */
    replicas: number;
    /** The disk space of each search node for copies of segments, in bytes. */
    cacheBytes: number;
  };
  seeds: CanonicalUrl[];
  /** The seeds with their options, as they are written. */
  seedLines: readonly string[];
  collections: CollectionSeed[];
  /** The settings of the engine, not yet checked. */
  settings: unknown;
}

type ClusterSeeds = Pick<ClusterFile, 'seeds' | 'seedLines' | 'collections'>;
type Environment = Readonly<Record<string, string | undefined>>;
type Fields = Record<string, unknown>;

const KEYS = ['name', 'postgresql', 'rabbitmq', 's3', 'shards', 'search', 'seeds', 'settings'];
const SEARCH_KEYS = ['secret', 'replicas', 'cacheSize'];
const MAX_REPLICAS = 16;
const DEFAULT_REPLICAS = 2;
/** Matches a secret that is long enough. A shorter secret could be guessed. */
const SECRET = /^.{16,}$/;
const S3_KEYS = ['bucket', 'endpoint', 'region', 'accessKeyId', 'secretAccessKey'];
const MAX_SHARDS = 256;

/** Reads and checks a cluster file. Throws a `UsageError` that names the key and what was expected. */
export function readClusterFile(file: string, environment: Environment): ClusterFile {
  const reader = new FieldReader(file, environment);
  const fields = reader.object(parse(file), '', KEYS);
  return {
    file,
    name: reader.text(fields.name, 'name', /^[a-z][a-z0-9-]{0,30}$/, 'a name such as "web"'),
    postgresql: reader.url(fields.postgresql, 'postgresql', ['postgres:', 'postgresql:']),
    rabbitmq: reader.url(fields.rabbitmq, 'rabbitmq', ['amqp:', 'amqps:']),
    s3: readS3(reader, reader.object(fields.s3, 's3', S3_KEYS)),
    shards: reader.count(fields.shards ?? 1, 'shards', MAX_SHARDS),
    search: readSearch(reader, reader.object(fields.search ?? {}, 'search', SEARCH_KEYS)),
    ...reader.seeds(fields.seeds ?? []),
    settings: fields.settings ?? {},
  };
}

/** Reads seeds with options. Throws a `UsageError` that names the wrong one. */
export function readSeedLines(seedLines: readonly string[]): ClusterSeeds {
  const seeds = seedLines.map((line) => readSeedLine(line));
  return { seeds: seeds.map(({ url }) => url), seedLines, collections: collectionSeedsOf(seeds) };
}

function readS3(reader: FieldReader, s3: Fields): Omit<S3Options, 'prefix'> {
  const bucket = reader.text(s3.bucket, 's3.bucket', /^[a-z0-9][a-z0-9.-]+$/, 'the name of a bucket');
  const optional = (key: string) =>
    s3[key] === undefined ? null : reader.text(s3[key], `s3.${key}`, /./, 'a text');
  const region = optional('region');
  const accessKeyId = optional('accessKeyId');
  const secretAccessKey = optional('secretAccessKey');
  if ((accessKeyId === null) !== (secretAccessKey === null))
    throw reader.refusal('s3', 'both "accessKeyId" and "secretAccessKey", or neither', 'one of them');
  return {
    bucket,
    ...(s3.endpoint !== undefined && {
      endpoint: reader.url(s3.endpoint, 's3.endpoint', ['http:', 'https:']),
    }),
    ...(region !== null && { region }),
    ...(accessKeyId !== null &&
      secretAccessKey !== null && { credentials: { accessKeyId, secretAccessKey } }),
  };
}

function readSearch(reader: FieldReader, search: Fields): ClusterFile['search'] {
  const { secret, replicas = DEFAULT_REPLICAS, cacheSize } = search;
  return {
    secret:
      secret === undefined
        ? null
        : reader.text(secret, 'search.secret', SECRET, 'a text of at least 16 characters', 'a shorter text'),
    replicas: reader.count(replicas, 'search.replicas', MAX_REPLICAS),
    cacheBytes:
      cacheSize === undefined ? Number.POSITIVE_INFINITY : reader.size(cacheSize, 'search.cacheSize'),
  };
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const message = `cannot read the cluster file ${file}: ${messageOf(cause)}`;
    throw new UsageError('cluster-file', message, { cause });
  }
}

/** Reads the fields of a cluster file. Errors name the key, but never the value of a secret. */
class FieldReader {
  readonly #file: string;
  readonly #environment: Environment;

  constructor(file: string, environment: Environment) {
    this.#file = file;
    this.#environment = environment;
  }

  object(value: unknown, key: string, known: readonly string[]): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.refusal(key || 'the file', `an object with ${known.join(', ')}`, kindOf(value));
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const path = key === '' ? name : `${key}.${name}`;
      throw new UsageError(
        'cluster-file',
        `${this.#file}: unknown key "${path}"; known are ${known.join(', ')}`,
      );
    }
    return value as Fields;
  }

  /** `got` describes a wrong value that must not be shown. */
  text(value: unknown, key: string, pattern: RegExp, expected: string, got?: string): string {
    if (typeof value !== 'string') throw this.refusal(key, expected, kindOf(value));
    const text = this.#withVariables(value, key, (variable) => variable);
    if (pattern.test(text)) return text;
    throw this.refusal(key, expected, got ?? `"${value}"`);
  }

  size(value: unknown, key: string): number {
    try {
      return parseSize(String(value));
    } catch {
      throw this.refusal(key, 'a size such as "100Gi"', JSON.stringify(value));
    }
  }

  url(value: unknown, key: string, protocols: readonly string[]): string {
    const expected = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    if (typeof value !== 'string') throw this.refusal(key, expected, kindOf(value));
    const text = this.#withVariables(value, key, encodeURIComponent);
    if (protocols.includes(URL.parse(text)?.protocol ?? '')) return text;
    throw this.refusal(key, expected, 'something else');
  }

  count(value: unknown, key: string, most: number): number {
    if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most) return Number(value);
    throw this.refusal(key, `a number from 1 to ${most}`, JSON.stringify(value));
  }

  /** Reads seeds; each may have options, as in a seed file: `https://example.org/ collection=news`. */
  seeds(value: unknown): ClusterSeeds {
    if (!Array.isArray(value) || !value.every((seed) => typeof seed === 'string'))
      throw this.refusal('seeds', 'a list of URLs', kindOf(value));
    return readSeedLines(value);
  }

  refusal(key: string, expected: string, got: string): UsageError {
    return new UsageError('cluster-file', `${this.#file}: "${key}": expected ${expected}, got ${got}`);
  }

  #withVariables(text: string, key: string, encode: (value: string) => string): string {
    return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = this.#environment[name];
      if (value !== undefined) return encode(value);
      const message = `${this.#file}: "${key}" names the environment variable ${name}, which is not set`;
      throw new UsageError('cluster-file', message);
    });
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
