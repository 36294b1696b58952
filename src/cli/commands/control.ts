/** gyre pause, gyre resume, gyre stop: what a running crawl should do, from another terminal. */
import type { Command, Invocation } from '../arguments.ts';
import { type Wish, writeWish } from '../control.ts';
import { openExistingData } from '../data-directory.ts';
import { print } from '../output.ts';

export const pauseCommand = controlCommand(
  'pause',
  'pause',
  'Lets the crawl finish its requests and send no more',
);
export const resumeCommand = controlCommand('resume', 'run', 'Ends a pause');
export const stopCommand = controlCommand(
  'stop',
  'stop',
  'Ends a running crawl, or gyre up, cleanly; the next start goes on',
);

function controlCommand(name: string, wish: Wish, summary: string): Command {
  const run = async ({ config }: Invocation) => {
    writeWish(openExistingData(config.data).root, wish);
    print(`the crawl of ${config.data} is asked to ${name}`);
  };
  return { name, positionals: '', summary, settings: [], flags: [], run };
}
