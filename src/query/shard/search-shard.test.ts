import { LocalShard } from './local-shard.ts';
import { testShard } from './shard-conformance.fixture.ts';
import { wireShard } from './wire-shard.fixture.ts';

testShard('a local shard', (index) => new LocalShard(index));
testShard('a shard behind a wire', (index) => wireShard(new LocalShard(index)));
