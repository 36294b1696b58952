/** The tables whose rows are leased to nodes: the vnodes of the crawl, and the shards of the index. */

export interface LeasedTable {
  table: string;
  /** The column with the number of a row. */
  key: string;
  /** The role of the nodes among which the rows are divided. */
  role: string;
}

export const VNODE_TABLE: LeasedTable = { table: 'gyre.vnodes', key: 'vnode', role: 'crawl' };
export const SHARD_TABLE: LeasedTable = { table: 'gyre.shards', key: 'shard', role: 'index' };
