/** gyre build */
import { acquireLock } from '../../base/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { openExistingData } from '../data-directory.ts';
import { buildOnce } from '../index-session.ts';
import { counted, print, printJson, stderrLog } from '../output.ts';
import { onInterrupt } from '../signals.ts';

export const buildCommand: Command = {
  name: 'build',
  positionals: '',
  summary: 'Takes up newly crawled pages into the index',
  settings: [],
  flags: [{ name: 'json', kind: 'boolean', help: 'print the result as one JSON object' }],
  run: build,
};

async function build({ config, flags }: Invocation): Promise<void> {
  const data = openExistingData(config.data);
  const lock = acquireLock(data.root, 'index', 'gyre build');
  const stop = new AbortController();
  const off = onInterrupt(() => stop.abort());
  try {
    const report = await buildOnce(data, config, stderrLog(config), stop.signal);
    if (flags.json) printJson(report);
    else
      print(
        `took up ${counted(report.pages, 'page')}; the index holds ${counted(report.docCount, 'document')}`,
      );
  } finally {
    off();
    lock.release();
  }
}
