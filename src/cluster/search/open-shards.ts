/** Asks search nodes once which shards they have open, for `gyre status`. */
import { messageOf } from '../../base/mod.ts';
import { NodeConnection } from './node-connection.ts';
import type { SearchMember } from './search-nodes.ts';

const TIMEOUT_MS = 3_000;

export interface OpenShards {
  node: string;
  address: string;
  /** The names of the shards that the node has open; none if it does not answer. */
  shards: string[];
  /** Why the node does not answer; null if it does. */
  problem: string | null;
}

/** Asks all nodes at once. A node that does not answer is reported after TIMEOUT_MS. */
export async function askOpenShards(members: readonly SearchMember[], key: Buffer): Promise<OpenShards[]> {
  return await Promise.all(members.map((member) => ask(member, key)));
}

async function ask({ node, address }: SearchMember, key: Buffer): Promise<OpenShards> {
  const connection = new NodeConnection(address, key);
  try {
    const states = await connection.states(TIMEOUT_MS);
    if (states.node !== node) throw new Error(`its address belongs to ${states.node}`);
    return { node, address, shards: [...states.shards.keys()], problem: null };
  } catch (error) {
    return { node, address, shards: [], problem: messageOf(error) };
  } finally {
    await connection.close();
  }
}
