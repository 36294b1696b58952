/**
 * The addresses of the search nodes, in PostgreSQL. A search node counts while its membership is alive
 * (../membership.ts).
 */
import type { ClusterDatabase } from '../database.ts';
import type { SearchMember } from './search-nodes.ts';

export const SEARCH_NODES_SCHEMA = `
  create table gyre.search_nodes (
    node text primary key,
    address text not null
  );
`;

/** Announces the address of this node. Removes the addresses of nodes that have left or died. */
export async function announceSearchNode(sql: ClusterDatabase, node: string, address: string): Promise<void> {
  await sql`insert into gyre.search_nodes (node, address) values (${node}, ${address})
    on conflict (node) do update set address = excluded.address`;
  await sql`delete from gyre.search_nodes where node <> ${node} and not exists (
    select from gyre.nodes n where n.node = search_nodes.node and n.lease_until > clock_timestamp() - interval '1 h')`;
}

export async function withdrawSearchNode(sql: ClusterDatabase, node: string): Promise<void> {
  await sql`delete from gyre.search_nodes where node = ${node}`;
}

/** Returns the search nodes whose leases have not expired, in the order of their names. */
export async function readSearchMembers(sql: ClusterDatabase): Promise<SearchMember[]> {
  return await sql<SearchMember[]>`select node, address, weight
    from gyre.search_nodes join gyre.nodes using (node)
    where lease_until > clock_timestamp() order by node`;
}
