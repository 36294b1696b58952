/**
 * Measures the cost of a link until the crawler has decided whether to fetch it: canonical form, fingerprint,
 * and the URL rules of the operator. The input is 5,000 seeded links as on real pages: 40 % are paths from
 * the root, 32 % whole URLs, 16 % relative, and the rest have queries, escapes or parameters to remove. Each
 * figure is the best of 15 rounds.
 *
 *   parse only     `URL.parse` and reading four components of the result, which every canonical form would need
 *                  if `canonical-scan.ts` did not recognise most URLs without parsing
 *
 *   npm exec -- node bench/url/main.ts
 */
import { Random } from '../../src/base/mod.ts';
import { canonicalizer } from '../../src/url/canonical.ts';
import {
  type CanonicalUrl,
  canonicalize,
  createScope,
  createUrlRules,
  fingerprint,
  parseUrlRules,
} from '../../src/url/mod.ts';
import { type BenchRow, report } from '../report.ts';

const BASE = 'https://www.example.org/docs/guide/page.html';
const WORDS = [
  'guide',
  'api',
  'news',
  'title-of-a-page',
  '2024',
  'docs',
  'images',
  'index.html',
  'Main_Page',
];

export interface UrlRow extends BenchRow {
  nsPerUrl: number;
}

export function measureUrls(count: number, rounds: number): UrlRow[] {
  const links = makeLinks(count);
  const urls = links.map((raw) => canonicalize(raw, BASE)!);
  const canonical = canonicalizer(BASE);
  const rules = rulesToMeasure(urls);
  const time = (name: string, visit: (item: string) => unknown, items: readonly string[]): UrlRow => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      for (const item of items) visit(item);
      best = Math.min(best, performance.now() - startedAt);
    }
    return { name, nsPerUrl: Math.round((best * 1e6) / items.length) };
  };
  return [
    time('parse only', parseOnly, links),
    time('canonical form', canonical, links),
    time('fingerprint', (url) => fingerprint(url as CanonicalUrl), urls),
    ...rules.map(([name, { decide }]) => time(`rules: ${name}`, (url) => decide(url as CanonicalUrl), urls)),
  ];
}

function parseOnly(raw: string): string {
  const { protocol, host, pathname, search } = URL.parse(raw, BASE)!;
  return `${protocol}//${host}${pathname}${search}`;
}

function makeLinks(count: number): string[] {
  const random = new Random(7);
  const word = () => random.pick(WORDS);
  const kinds: [number, () => string][] = [
    [40, () => `/${word()}/${word()}/${random.below(1000)}`],
    [20, () => `https://www.example.org/${word()}/${word()}-${random.below(1000)}`],
    [12, () => `https://host${random.below(50)}.example.com/${word()}/${random.below(99)}`],
    [12, () => `${word()}/${word()}`],
    [4, () => `../${word()}/${word()}`],
    [6, () => `/${word()}?id=${random.below(100)}&page=${random.below(9)}`],
    [3, () => `/${word()}/%C3%BC${word()}#top`],
    [3, () => `HTTPS://Example.org/${word()}/../${word()}?utm_source=x`],
  ];
  const dealt = kinds.flatMap(([share, make]) => Array.from({ length: share }, () => make));
  return Array.from({ length: count }, () => random.pick(dealt)());
}

function rulesToMeasure(urls: readonly CanonicalUrl[]) {
  const scope = createScope('domain', urls.slice(0, 1), ['example.com']);
  const hosts = Array.from({ length: 1000 }, (_, host) => ({ verb: 'ignore', host: `h${host}.example.net` }));
  const cases: [string, unknown[], string[]][] = [
    ['none', [], []],
    ['1,000 hosts and 3 lists', hosts, ['social', 'streaming', 'shopping']],
    [
      'extensions and prefixes',
      [
        { verb: 'ignore', extension: 'zip' },
        { verb: 'follow', prefix: '/tags/' },
      ],
      [],
    ],
    ['one pattern', [{ verb: 'ignore', pattern: '/calendar/\\d{4}-\\d{2}' }], []],
    ['a list with words', [], ['adult']],
  ];
  return cases.map(([name, rules, lists]) => {
    const urlRules = createUrlRules({ rules: parseUrlRules(rules), lists }, scope);
    return [name, { decide: (url: CanonicalUrl) => urlRules.decide(url, 1) }] as const;
  });
}

if (import.meta.main) {
  const rows = measureUrls(5000, 15);
  const nanos = (name: string) => rows.find((row) => row.name === name)!.nsPerUrl;
  report(
    rows,
    { canonicalizeOverUrlParse: nanos('canonical form') / nanos('parse only') },
    process.argv.includes('--json'),
  );
}
