/**
 * Calls of the methods of a search shard as data, so that they can be sent to another process.
 *
 * The parts of a query that all its requests have in common are encoded as parts of their own: the terms, the
 * rest of the parsed query, the statistics and the ranking profile. The sender encodes each of them once per
 * query. The receiver caches decoded parts, with their bytes as the key. Therefore all requests of a query get
 * the same objects, by which a `LocalShard` recognizes the query. This is a cache and not a session: every
 * request has all of its parts.
 */
import { BoundedCache } from '../../base/mod.ts';
import type { SearchShard, ShardState } from '../../query/mod.ts';
import { decodePart, encodePart } from './shard-message.ts';

export type ShardMethod = Exclude<keyof SearchShard, 'state' | 'close'>;

/** The fields that the requests of all methods have. */
export interface AnyShardRequest {
  view: string;
  leftMs: number;
}

/** Calls a method of a shard in another process. Request and reply have the types of this method. */
type ShardCall = (method: ShardMethod, request: AnyShardRequest) => Promise<unknown>;

const METHODS: Readonly<Record<ShardMethod, true>> = {
  lookUpWords: true,
  countDocuments: true,
  locate: true,
  readPages: true,
  statistics: true,
  candidates: true,
  nearest: true,
  titled: true,
  features: true,
  topicTerms: true,
  expansionScores: true,
  documentTerms: true,
  urls: true,
  explain: true,
  details: true,
  inspect: true,
  similar: true,
};

export function isShardMethod(name: unknown): name is ShardMethod {
  return typeof name === 'string' && Object.hasOwn(METHODS, name);
}

/** Returns a shard whose methods are sent with `call`. */
export function shardCalling(call: ShardCall, stateOf: () => ShardState, close: () => void): SearchShard {
  const methods = Object.keys(METHODS).map((method) => [
    method,
    (request: AnyShardRequest) => call(method as ShardMethod, request),
  ]);
  const shard = Object.fromEntries(methods) as Omit<SearchShard, 'state' | 'close'>;
  return Object.defineProperty({ ...shard, close } as SearchShard, 'state', { get: stateOf });
}

interface SharedFields {
  terms?: object;
  query?: object;
  statistics?: object;
  profile?: object;
}

type Fields = Record<string, unknown>;

const SHARED = ['terms', 'query', 'statistics', 'profile'] as const;
/** The memory for decoded parts, by the size of their bytes. Each query needs a few KiB. */
const DECODED_BYTES = 4 * 1024 * 1024;

/** The encoded parts of recent queries. The key is the object that was encoded. */
const encoded = new WeakMap<object, Buffer>();

const ROUTES = 1 << 16;
const routes = new WeakMap<object, number>();

/**
 * Returns a random number that all requests of a query have in common. Therefore they go to the same replica
 * and thread, which has already looked up the terms of the query.
 */
export function routeOf(request: AnyShardRequest): number {
  const query = sharedOf(request as unknown as Fields).shared.terms ?? request;
  const known = routes.get(query);
  if (known !== undefined) return known;
  const route = Math.floor(Math.random() * ROUTES);
  routes.set(query, route);
  return route;
}

/**
 * Encodes a request: the fields of this request alone, then the parts that it shares with other requests of the
 * query.
 */
export function encodeRequest(request: AnyShardRequest): Buffer[] {
  const { shared, source, rest } = sharedOf(request as unknown as Fields);
  const names = SHARED.filter((name) => shared[name] !== undefined);
  const parts = names.map((name) => encodeOnce(source[name]!, shared[name]!));
  return [encodePart({ names, rest }), ...parts];
}

/** Decodes requests. Equal parts of recent requests are the same object. */
export class RequestDecoder {
  readonly #decoded = BoundedCache.ofBytes<string, object>(DECODED_BYTES);

  decode([first, ...parts]: readonly Buffer[]): AnyShardRequest {
    const { names, rest } = decodePart(first!) as { names: readonly string[]; rest: Fields };
    const shared = Object.fromEntries(names.map((name, at) => [name, this.#decodeShared(parts[at]!)]));
    const { terms, query, ...others } = shared as SharedFields;
    const own = query ? { query: { ...query, terms } } : terms ? { words: terms } : {};
    return { ...rest, ...others, ...own } as unknown as AnyShardRequest;
  }

  #decodeShared(part: Buffer): object {
    const key = part.toString('latin1');
    const known = this.#decoded.get(key);
    if (known) return known;
    // The part is copied first. Otherwise a decoded typed array would keep the memory of the whole message.
    const value = decodePart(Buffer.from(part)) as object;
    this.#decoded.set(key, value, key.length);
    return value;
  }
}

/**
 * Splits a request into its own fields and the parts that the requests of a query share. `source` has, for each
 * shared part, the object under which its encoded bytes are cached.
 */
function sharedOf({ query, words, statistics, profile, ...rest }: Fields) {
  const source: SharedFields = {};
  const shared: SharedFields = {};
  if (words) source.terms = shared.terms = words as object;
  if (query) {
    const { terms, ...others } = query as { terms: object };
    source.terms = shared.terms = terms;
    source.query = query;
    shared.query = others;
  }
  if (statistics) source.statistics = shared.statistics = statistics as object;
  if (profile) source.profile = shared.profile = profile as object;
  return { shared, source, rest };
}

function encodeOnce(source: object, value: object): Buffer {
  const known = encoded.get(source);
  if (known) return known;
  const part = encodePart(value);
  encoded.set(source, part);
  return part;
}
