/** The command `gyre url URL…`, which shows how a crawl treats URLs. */
import { existsSync } from 'node:fs';
import { openDirectory, UsageError } from '../../base/mod.ts';
import {
  documentOf,
  hasCrawlState,
  type IdentityVerdict,
  openCrawlState,
  otherNames,
} from '../../crawl/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { print, printJson } from '../output.ts';
import { reportUrl, rulesOfCrawl, type UrlDecision } from '../url-decision.ts';

export const urlCommand: Command = {
  name: 'url',
  positionals: 'URL…',
  summary: 'Shows the canonical form of a URL, and the rule that decides whether it is crawled',
  examples: ["gyre url 'HTTP://Example.org/a/../b?utm_source=x'"],
  settings: ['scope'],
  flags: [
    {
      name: 'base',
      kind: 'string',
      value: 'URL',
      help: 'URL of the page with the link, for a relative URL',
    },
    { name: 'depth', kind: 'string', help: 'number of links from a seed to the URL (0)' },
    { name: 'json', kind: 'boolean', help: 'print one JSON object per line' },
  ],
  run: url,
};

interface UrlReport extends UrlDecision {
  /**
   * The document that this URL is an alias of, according to the crawl; null if the URL is a document of its own, or
   * if the crawl does not know the URL.
   */
  nameOf: CanonicalUrl | null;
  /** The aliases of the same document, with the reason of each. */
  names: IdentityVerdict[];
}

async function url({ config, flags, positionals }: Invocation): Promise<void> {
  if (positionals.length === 0) {
    throw new UsageError('no-url', 'missing URL: gyre url https://example.org/a/../b');
  }
  const depth = Number(flags.depth ?? 0);
  if (!Number.isInteger(depth) || depth < 0) {
    throw new UsageError('bad-option', '--depth takes a whole number');
  }
  const rules = rulesOfCrawl(config);
  for (const raw of positionals) {
    const decided = reportUrl(raw, flags.base as string | undefined, depth, rules);
    const report = { ...decided, ...(await namesIn(config.data, decided.fetched)) };
    if (flags.json) printJson(report);
    else print(described(report));
  }
}

/** Looks up the aliases of the URL in the crawl state of this data directory. */
async function namesIn(data: string, url: CanonicalUrl): Promise<Pick<UrlReport, 'nameOf' | 'names'>> {
  const root = existsSync(data) ? openDirectory(data) : null;
  if (!root || !hasCrawlState(root)) return { nameOf: null, names: [] };
  const state = openCrawlState(root, { readOnly: true });
  try {
    const document = await documentOf(state, url);
    const names = (await otherNames(state, document)).filter((name) => name.url !== url);
    return { nameOf: document === url ? null : document, names };
  } finally {
    state.close();
  }
}

function described(report: UrlReport): string {
  const { canonical, fetched, verb, rule } = report;
  const rows: [string, string][] = [
    ['canonical', canonical],
    ['host', report.host],
    ['domain', report.domain],
    ['fingerprint', report.fingerprint],
    ['decision', `${verb} (${rule})`],
  ];
  if (fetched !== canonical) rows.push(['fetched as', fetched]);
  if (report.nameOf) rows.push(['name of', report.nameOf]);
  for (const { kind, url } of report.names) rows.push([kind, url]);
  return table(rows).trimEnd();
}
