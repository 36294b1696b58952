/** The command `gyre search QUERY`, which prints search results. */
import { UsageError } from '../../base/mod.ts';
import { AssistedSearcher, type SearchResponse, type SearchResult } from '../../query/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { demoHint, readExistingData } from '../data-directory.ts';
import { explanationText } from '../explanation.ts';
import { counted, print, printJson, stderrLog } from '../output.ts';
import { PROFILE_FLAG } from '../profiles/mod.ts';
import { openLocalSearching } from '../sessions/local-searching.ts';

/** Maximum number of results per host, the same as on a results page. */
const PER_HOST = 2;

export const searchCommand: Command = {
  name: 'search',
  positionals: 'QUERY…',
  summary: 'Searches the index from the command line',
  examples: ['gyre search event loop', `gyre search --limit 3 --explain '"event loop" -markdown'`],
  settings: ['model'],
  flags: [
    { name: 'limit', kind: 'string', value: 'N', help: 'number of results (10)' },
    {
      name: 'cursor',
      kind: 'string',
      value: 'C',
      help: 'show the next results; each response prints the cursor for the next',
    },
    { name: 'as-typed', kind: 'boolean', help: 'do not correct the spelling when there are no results' },
    { name: 'json', kind: 'boolean', help: 'print the response of the JSON API' },
    PROFILE_FLAG,
    { name: 'explain', kind: 'boolean', help: "show each feature's share of each score" },
  ],
  dashWords: true,
  run: search,
};

async function search({ config, flags, positionals }: Invocation): Promise<void> {
  const query = positionals.join(' ').trim();
  if (query === '') throw new UsageError('no-query', 'missing query: gyre search http client');
  const limit = flags.limit === undefined ? 10 : Number(flags.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw new UsageError('bad-option', '--limit takes a whole number from 1 to 1000');
  }
  const log = stderrLog(config);
  const data = readExistingData(config.data);
  if (!data.index.has('manifest.json')) throw noIndex(config.data);
  const plain = openLocalSearching(data, config, log, {
    cacheBytes: config.serve.postingsCacheBytes,
    answerBytes: 0,
    profile: flags.profile as string | undefined,
  });
  const searcher = new AssistedSearcher(plain, data, log);
  const place = typeof flags.cursor === 'string' ? { cursor: flags.cursor } : {};
  const listing = { limit, perHost: PER_HOST, collapse: true, asTyped: flags['as-typed'] === true };
  const response = await searcher.search({ query, offset: 0, ...listing, ...place });
  const asked = response.spelling?.automatic ? response.spelling.query : query;
  const explained: (ScoreBreakdown | null)[] = [];
  if (flags.explain)
    for (const { url } of response.results)
      explained.push((await plain.explain?.(asked, url as CanonicalUrl)) ?? null);
  searcher.close();
  const notes = await noteTexts(response);
  if (flags.json) printJson({ ...response, notes, ...(flags.explain && { explained }) });
  else printResults(response, notes, explained.map(explanationText));
}

function noIndex(data: string): UsageError {
  return new UsageError(
    'no-index',
    `${data} has no index: run ${commandFor('build', data)}, or choose another directory with --data${demoHint(data)}`,
  );
}

/**
 * Renders the notes of a search response. The server code, which has the texts, is loaded only if there are notes,
 * because loading takes longer than most queries.
 */
async function noteTexts({ notes }: SearchResponse): Promise<string[]> {
  if (notes.length === 0) return [];
  return notes.map((await import('../../serve/mod.ts')).noteText);
}

function printResults(
  response: SearchResponse,
  notes: readonly string[],
  explained: readonly string[],
): void {
  for (const note of notes) print(`(${note})`);
  if (response.spelling) print(spellingLine(response.spelling));
  print(
    `${counted(response.total, 'document')} in ${response.tookMs} ms${response.partial ? ', partial' : ''}`,
  );
  for (const [index, result] of response.results.entries()) {
    print(`\n${index + 1}. ${result.title || result.url}\n   ${result.url}\n   ${emphasized(result)}`);
    if (explained[index]) print(explained[index]);
    const { moreFromSite: more } = result;
    if (more) print(`   (${more.count} more from this site: ${more.query})`);
  }
  if (response.cursor) print(`\nMore results: --cursor ${response.cursor}`);
}

function spellingLine({ query, automatic }: NonNullable<SearchResponse['spelling']>): string {
  return automatic ? `(No results as typed; these are results for: ${query})` : `(Did you mean: ${query})`;
}

/** Returns a snippet with its highlights in bold on a terminal, and as plain text elsewhere. */
function emphasized({ snippet, highlights }: SearchResult): string {
  if (!process.stdout.isTTY) return snippet;
  let shown = '';
  let at = 0;
  for (const [start, end] of highlights) {
    shown += `${snippet.slice(at, start)}\u001b[1m${snippet.slice(start, end)}\u001b[22m`;
    at = end;
  }
  return shown + snippet.slice(at);
}
