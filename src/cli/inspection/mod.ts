/**
 * `gyre inspect URL`: the whole life of a URL in one chain, and the reason why searches find it or not. It only
 * reads, and works while the engine runs.
 */
import { systemClock, UsageError } from '../../base/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { openExistingData, readExistingData } from '../data-directory.ts';
import { isCrawling } from '../locks.ts';
import { print, printJson, stderrLog } from '../output.ts';
import { requestFetch } from '../requests/mod.ts';
import { inspectUrl, sourcesIn } from './inspect-url.ts';
import { renderReport, reportInspection } from './report.ts';

export { crawlFactsIn } from './crawl-facts.ts';
export { inspectUrl, sourcesIn } from './inspect-url.ts';
export type { InspectionSources } from './inspection.ts';
export { linkFactsIn, type OpenRanking } from './link-facts.ts';
export { politenessText } from './politeness-text.ts';
export { reportInspection } from './report.ts';
export { visitsOfCaptures } from './visits.ts';

export const inspectCommand: Command = {
  name: 'inspect',
  positionals: 'URL',
  summary: 'Shows the whole life of a URL, and why it is, or is not, in the results',
  examples: ['gyre inspect https://example.org/page'],
  settings: ['model'],
  flags: [
    {
      name: 'query',
      kind: 'string',
      value: 'QUERY',
      help: 'also explain its place in the results of this query',
    },
    {
      name: 'below',
      kind: 'string',
      value: 'N',
      help: 'compare it with result N of the query (the one directly above it)',
    },
    { name: 'fetch', kind: 'boolean', help: 'ask the crawl to fetch it now, instead of inspecting it' },
    { name: 'json', kind: 'boolean', help: 'print all facts as one JSON object' },
  ],
  run: inspect,
};

async function inspect({ config, flags, positionals }: Invocation): Promise<void> {
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0)
    throw new UsageError('no-url', 'expected one URL: gyre inspect https://example.org/page');
  const query = typeof flags.query === 'string' ? flags.query : null;
  const below = placeIn(flags.below);
  if (below !== null && query === null)
    throw new UsageError('bad-option', '--below needs a query: add --query "the words"');
  const hasScheme = /^https?:\/\//i.test(given);
  const url = hasScheme ? given : `https://${given}`;
  if (flags.fetch === true) {
    const { root } = openExistingData(config.data);
    const wanted = requestFetch(root, url, config);
    const crawl = isCrawling(root)
      ? 'the running crawl fetches it'
      : `${commandFor('crawl', config.data)} fetches it`;
    return print(`${wanted} is queued: ${crawl} as soon as its host permits it`);
  }
  const sources = sourcesIn(readExistingData(config.data), config, stderrLog(config));
  const inspection = await inspectUrl(sources, url, { query, below });
  if (flags.json) printJson(inspection);
  else print(renderReport(reportInspection(inspection, systemClock.now())));
}

function placeIn(flag: string | boolean | undefined): number | null {
  if (flag === undefined) return null;
  const place = Number(flag);
  if (Number.isInteger(place) && place >= 1 && place <= 100) return place;
  throw new UsageError('bad-option', '--below takes the place of a result, from 1 to 100');
}
