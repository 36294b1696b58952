/** A reporter for Node's test runner: prints the files in which a test failed, one per line. */
import type { TestEvent } from 'node:test/reporters';

// biome-ignore lint/style/noDefaultExport: the runner asks for it
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Set<string>();
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.file) files.add(data.file);
  }
  for (const file of files) yield `${file}\n`;
}
