/** Returns the nodes with the highest ranks, best first; for equal ranks the lower node number comes first. */
import { Heap } from '../../base/mod.ts';

export function topNodes(
  ranks: Float32Array,
  count: number,
  isWanted: (node: number) => boolean = () => true,
): number[] {
  const worstFirst = (a: number, b: number) => (ranks[a] === ranks[b] ? a > b : ranks[a]! < ranks[b]!);
  const heap = new Heap<number>(worstFirst);
  for (let node = 0; node < ranks.length && count > 0; node++) {
    if (!isWanted(node)) continue;
    if (heap.size < count) heap.push(node);
    else if (worstFirst(heap.peek()!, node)) heap.replaceTop(node);
  }
  const top: number[] = [];
  for (let node = heap.pop(); node !== undefined; node = heap.pop()) top.push(node);
  return top.reverse();
}
