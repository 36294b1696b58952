/** The parts of a gateway that read what other nodes have stored: archive, words, and everything about a URL. */

export { openGatewayTools } from './cluster-tools.ts';
export { iconOfOrigin, openGatewayArchive, stateOfCluster } from './gateway-archive.ts';
export { openGatewayDesk } from './gateway-desk.ts';
export { ShardWords } from './shard-words.ts';
