import { LocalShard } from '../../query/shard/mod.ts';
import { testShard } from '../../query/shard/shard-conformance.fixture.ts';
import { remoteShard } from './served-shards.fixture.ts';

testShard('a remote shard', (index, t) => remoteShard(t, new LocalShard(index)));
