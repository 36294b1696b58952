/** The command `gyre serve`, which serves the search pages and the HTTP API. */

import { messageOf } from '../../base/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readData, readSettings } from '../data-directory.ts';
import { onInterrupt } from '../interrupts.ts';
import { print, stderrLog } from '../output.ts';
import { describeFirstAccount, startServing } from '../serving/mod.ts';
import { controlByFile } from '../sessions/crawl-control.ts';
import { checkServingMemory } from '../sessions/memory-need.ts';
import { startMeaning } from '../threads/mod.ts';

export const serveCommand: Command = {
  name: 'serve',
  positionals: '',
  summary: 'Serves the search page and the API; uses a changed index without a restart',
  examples: ['gyre serve --port 8081'],
  settings: ['host', 'port', 'contact', 'model'],
  flags: [],
  leastMemory: '384Mi',
  run: serve,
};

async function serve({ config, changeable }: Invocation): Promise<void> {
  const data = readData(config.data);
  const contact = config.contact === '' ? readSettings(data.root).contact : config.contact;
  const control = controlByFile(data.root);
  const log = stderrLog(config);
  checkServingMemory('serve', data, config, log);
  const options = { contact, log, status: () => null, control, changeable, isCrawling: false };
  const serving = await startServing(data, config, options);
  const meaning = startMeaning(data, config, serving.meaning, true, (error) =>
    log.error('vectors of new pages not computed', { reason: messageOf(error) }),
  );
  print(`search at ${serving.address}`);
  print(describeFirstAccount(serving));
  await new Promise<void>((resolve) => onInterrupt(resolve));
  await Promise.all([serving.close(), meaning.end()]);
}
