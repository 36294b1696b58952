import type { HostileHost } from '../attack.ts';
import { listedBody } from '../hostile-pages.ts';

const RUNS = 1_670;

/** Makes Markdown with runs of 1, 2, 3 and more backticks in one paragraph. No run closes another. */
export function backtickMarkdown(): Buffer {
  const runs = Array.from({ length: RUNS }, (_, at) => '`'.repeat(at + 1));
  return Buffer.from(`# Runs\n\n${runs.join(' ')}\n`);
}

export const markdownBackticks: HostileHost = {
  name: 'markdown-backticks',
  what: 'Markdown of 1.4 MB with runs of back-ticks of growing length, on two hosts.',
  scale: { short: { hosts: 2, pages: 2 }, long: { hosts: 2, pages: 200, seconds: 40 } },
  serve: (scale) => ({
    protocol: 'http',
    handle: listedBody(scale, backtickMarkdown(), { 'content-type': 'text/markdown' }, '.md'),
  }),
};
