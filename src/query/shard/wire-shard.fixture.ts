/** A shard that serializes all requests and replies to bytes and back, as if it were on another machine. */
import { deserialize, serialize } from 'node:v8';
import type { SearchShard } from './search-shard.ts';

export function wireShard(shard: SearchShard): SearchShard {
  return new Proxy(shard, {
    get(target, name: keyof SearchShard) {
      if (name === 'state') return copyOf(target.state);
      if (name === 'close') return () => target.close();
      // Awaiting a shard reads its property `then`.
      if (!(name in target)) return undefined;
      const method = target[name] as (request: unknown) => Promise<unknown>;
      return async (request: unknown) => copyOf(await method.call(target, copyOf(request)));
    },
  });
}

function copyOf<T>(value: T): T {
  return deserialize(serialize(value)) as T;
}
