/** The parts of a gateway that read what other nodes have stored: archive, words, and everything about a URL. */

export { iconOfOrigin, openGatewayArchive } from './gateway-archive.ts';
export { ShardWords } from './shard-words.ts';
