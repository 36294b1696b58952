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
import {
  type CanonicalUrl,
  canonicalize,
  createScope,
  createUrlRules,
  fingerprint,
  hostOf,
  registrableDomain,
  type UrlRules,
  type UrlVerb,
} from '../../url/mod.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { readSettings } from '../data-directory.ts';
import { print, printJson } from '../output.ts';
import type { Config } from '../settings/mod.ts';

export const urlCommand: Command = {
  name: 'url',
  positionals: 'URL…',
  summary: 'Shows the canonical form of a URL, and the rule that decides whether it is crawled',
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

interface UrlReport {
  canonical: CanonicalUrl;
  host: string;
  /** The registrable domain of the URL. */
  domain: string;
  /** The fingerprint of the URL as stored in crawl.db. */
  fingerprint: string;
  verb: UrlVerb;
  rule: string;
  /** The URL to fetch: the canonical form, unless a URL rule changes its query. */
  fetched: CanonicalUrl;
  /**
   * The document that this URL is an alias of, according to the crawl; null if the URL is a document of its own, or
   * if the crawl does not know the URL.
   */
  nameOf: CanonicalUrl | null;
  /** Other URLs of the same document. */
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
  const rules = rulesOf(config);
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

/** Reports how a crawl treats a URL. Throws a UsageError if `raw` is not a web address. */
export function reportUrl(
  raw: string,
  base: string | undefined,
  depth: number,
  rules: UrlRules,
): Omit<UrlReport, 'nameOf' | 'names'> {
  const canonical = canonicalize(raw, base);
  if (canonical === null) {
    const advice = base === undefined ? '; if it is relative, name its page with --base' : '';
    throw new UsageError('bad-url', `"${raw}" is not a web address${advice}`);
  }
  const host = hostOf(canonical);
  const { verb, rule, url: fetched } = rules.decide(canonical, depth);
  const domain = registrableDomain(host);
  return { canonical, host, domain, fingerprint: String(fingerprint(canonical)), verb, rule, fetched };
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

/**
 * Returns the URL rules of a crawl with this configuration. Without seeds or domains, every URL is in scope.
 */
function rulesOf({ crawl, data }: Config): UrlRules {
  const seeds = existsSync(data) ? (readSettings(openDirectory(data)).seeds as CanonicalUrl[]) : [];
  const mode = seeds.length === 0 && crawl.domains.length === 0 ? 'web' : crawl.scope;
  return createUrlRules(crawl, createScope(mode, seeds, crawl.domains));
}
