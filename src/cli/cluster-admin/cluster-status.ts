/** `gyre status --cluster FILE`, from any machine that reaches the services. It does not join the cluster and changes nothing. */

import { readClusterFile } from '../cluster/cluster-file.ts';
import { factsAsJson, gatherFacts } from '../cluster-facts/mod.ts';
import { print, printJson } from '../output.ts';
import { statusLines } from './status-text.ts';

/** Calls `begin` before the first line is printed, when all facts are known. */
export async function showClusterStatus(file: string, asJson: boolean, begin = () => {}): Promise<void> {
  const facts = await gatherFacts(readClusterFile(file, process.env));
  if (asJson) return printJson(factsAsJson(facts));
  begin();
  const width = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  for (const line of statusLines(facts, width)) print(line);
}
