/** Serves MCP over standard input and output: one message per line, and nothing else on the output. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { answerMessage, type McpServer } from './protocol.ts';

/**
 * Replies to messages until the input ends. Requests run concurrently, and replies are sent in the order in
 * which they finish.
 */
export async function serveLines(server: McpServer, input: Readable, output: Writable): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const work = answerMessage(server, line).then((reply) => {
      underWay.delete(work);
      if (reply) output.write(`${JSON.stringify(reply)}\n`);
    });
    underWay.add(work);
  }
  await Promise.all(underWay);
}
