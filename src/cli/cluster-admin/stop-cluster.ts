/** `gyre stop --cluster FILE`, from any machine that reaches PostgreSQL. */
import { stopCluster } from '../../cluster/mod.ts';
import { counted, print } from '../output.ts';
import { withCluster } from './with-cluster.ts';

/** Asks all nodes of a cluster to stop. Nodes that are started later run. */
export async function stopWholeCluster(file: string): Promise<void> {
  await withCluster(file, async (database, { name }) => {
    const nodes = await stopCluster(database);
    print(
      nodes === 0
        ? `cluster ${name}: no node is running`
        : `cluster ${name}: ${counted(nodes, 'node')} will finish and save the work in progress, and end within seconds`,
    );
  });
}
