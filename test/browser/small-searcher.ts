/**
 * A searcher for tests with a few documents, all of them in this file. A document matches if its title or
 * text has every word of the query. Some documents try to inject markup into the results page.
 */
import type {
  PassageAnswer,
  ResultFacets,
  Searcher,
  SearchRequest,
  SearchResponse,
  SearchResult,
  Suggestion,
} from '../../src/query/mod.ts';
import { SiteJudge } from '../../src/url/mod.ts';

export interface SmallDocument {
  url: string;
  title: string;
  text: string;
  /** The words about a picture on the page. */
  picture?: string;
  /** True if the family filter hides the document. */
  isAdult?: true;
}

const CURRENTS = ['Agulhas', 'Benguela', 'Brazil', 'Canary', 'Kuroshio', 'Labrador', 'Oyashio', 'Peru'];
const TOPICS = ['temperature', 'plankton', 'drifters', 'salinity'];

/** 32 ordinary pages about ocean currents on two sites, which fill four pages of results. */
export const OCEAN: SmallDocument[] = CURRENTS.flatMap((current, at) =>
  TOPICS.map((topic) => ({
    url: `https://${topic === 'salinity' ? 'salt.example' : 'www.ocean-atlas.example'}/currents/${current.toLowerCase()}/${topic}?year=${2001 + at}`,
    title: `The ${current} Current: ${topic} and the wider gyre`,
    text: `How ${topic} of the ${current} Current is measured, and what it tells about the ocean gyre that it belongs to. Floats, ships and satellites all take part, and the record goes back to the first expeditions.`,
  })),
);

/** The home page of a site, and pages that it links to. */
const SALT_ATLAS: SmallDocument[] = [
  { url: 'https://salt.example/', title: 'Salt Atlas', text: 'Maps of the salt in the seas, for everyone.' },
  {
    url: 'https://salt.example/maps/',
    title: 'Maps — Salt Atlas',
    text: 'All sheets.',
    picture: 'Map of the sheets',
  },
  { url: 'https://salt.example/methods.html', title: 'Methods — Salt Atlas', text: 'Bottles and wires.' },
];

/** Pages that the family filter hides, with words that no other page has. */
const ADULT: SmallDocument[] = [
  { url: 'https://adults.example/', title: 'Undertow', text: 'A page for adults.', isAdult: true },
  { url: 'https://water.example/undertow', title: 'Undertow', text: 'A page about water.' },
];

/** Hostile documents. None of their content may run, load or leave its place on the page. */
export const HOSTILE: SmallDocument[] = [
  {
    url: 'https://evil.example/"><script>globalThis.hacked=1</script>?q=\'onclick=globalThis.hacked=1',
    title: '</a></h2><script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked=1"> hostile',
    text: '</p><iframe srcdoc="<script>parent.hacked=1</script>"></iframe><svg onload=globalThis.hacked=1> hostile " \' & &lt;b&gt; text',
  },
  {
    url: 'javascript:globalThis.hacked=1',
    title: 'hostile scheme',
    text: 'The address of this hostile page is a script: <a href="javascript:globalThis.hacked=1">x</a>',
  },
  {
    url: 'https://bidi.example/%E2%80%AEfdp.exe/%2e%2e/%00/a',
    title: '\u202Ehostile direction\u2066 gnp.exe',
    text: '\u202E\u202Edesrever siht fo tser eht\u202C hostile \u2067 and text that was never closed',
  },
  {
    url: `https://long.example/${'very-long-path-without-a-break-'.repeat(40)}`,
    title: `hostile ${'W'.repeat(400)}`,
    text: `hostile ${'unbroken'.repeat(60)}`,
  },
  { url: 'https://blank.example/a/b/c/d/e/f.html', title: '', text: 'hostile page without a title' },
  {
    url: `https://ten-megabytes.example/${'p'.repeat(2000)}`,
    title: `hostile ${'T'.repeat(10 * 2 ** 20)}`,
    text: `hostile ${'\u202E'.repeat(1000)}${'S'.repeat(10 * 2 ** 20)}`,
  },
];

export const FOREIGN: SmallDocument[] = [
  {
    url: 'https://ar.example/%D8%A7%D9%84%D9%85%D8%AD%D9%8A%D8%B7',
    title: 'دوامة المحيط وحركة المياه في العالم',
    text: 'دوامة المحيط نظام كبير من التيارات الدائرية تحركه الرياح ودوران الأرض.',
  },
  {
    url: 'https://he.example/ים',
    title: 'מערבולת אוקיינוס',
    text: 'מערבולת אוקיינוס היא מערכת גדולה של זרמים מעגליים (gyre) באוקיינוס.',
  },
];

/** The answer to queries that begin with "how". */
const PASSAGE: PassageAnswer = {
  url: 'https://salt.example/methods.html',
  title: 'Methods — Salt Atlas',
  host: 'salt.example',
  text: 'Lower a bottle on a wire, close it, and weigh the salt <b>after</b> drying.',
  highlights: [[8, 14]],
  heading: 'Methods',
  code: 'bottle --wire 100 \\\n  --close',
  language: 'en',
  fetchedAt: '2025-06-01T12:00:00.000Z',
};

export class SmallSearcher implements Searcher {
  readonly #documents: readonly SmallDocument[];
  /** The queries that the searcher has received, for tests that check how the page encodes its filters. */
  readonly asked: string[] = [];

  constructor(
    documents: readonly SmallDocument[] = [...OCEAN, ...SALT_ATLAS, ...ADULT, ...HOSTILE, ...FOREIGN],
  ) {
    this.#documents = documents;
  }

  async search({
    query,
    offset,
    limit,
    siteRules = [],
    family = 'moderate',
    passage,
  }: SearchRequest): Promise<SearchResponse> {
    this.asked.push(query);
    const judge = new SiteJudge(siteRules);
    const site = /(?:^| )site:(\S+)/.exec(query)?.[1];
    const words = wordsOf(query);
    const found = this.#documents.filter(({ url, title, text }) => {
      const host = hostOf(url);
      const isWanted =
        !judge.blocks(host) && (site === undefined || host === site || host.endsWith(`.${site}`));
      const all = `${title} ${text}`.toLowerCase();
      return (
        isWanted && (words.length > 0 || site !== undefined) && words.every((word) => all.includes(word))
      );
    });
    const matches = found.filter(({ isAdult }) => family === 'off' || !isAdult);
    const familyHidden = found.length - matches.length;
    const pinned = matches.filter(({ url }) => judge.effectOn(hostOf(url)) === 'pin');
    const listed = [...pinned, ...matches.filter((document) => !pinned.includes(document))];
    const results = listed.slice(offset, offset + limit).map((document) => asResult(document, words));
    const notes: SearchResponse['notes'] = query.includes('note:')
      ? [{ code: 'plain-words', values: { text: '<note>' } }]
      : [];
    return {
      query,
      total: matches.length,
      tookMs: 1.25,
      partial: query.includes('partial'),
      notes,
      results,
      kinds: matches.some(({ url }) => url.includes('ocean')) ? ['html', 'news', 'pdf', 'product'] : ['html'],
      facets: facetsOf(matches),
      ...(familyHidden > 0 && { familyHidden }),
      ...(passage && query.startsWith('how') && { passage: PASSAGE }),
      ...spellingOf(query),
    };
  }

  async suggest(prefix: string, limit: number): Promise<Suggestion[]> {
    if (prefix.startsWith('fail')) throw new Error('no suggestions today');
    const hostile = ['<img src=x onerror=globalThis.hacked=1>', '\u202Ehostile'].map(
      (end) => `hostile ${end}`,
    );
    const all = [...CURRENTS.map((current) => `${current.toLowerCase()} current`), ...hostile];
    return all
      .filter((text) => text.startsWith(prefix.toLowerCase()))
      .slice(0, limit)
      .map((text) => ({ text }));
  }

  async explain(query: string) {
    const terms = wordsOf(query).map((term) => ({ term, idf: 2.5, frequency: 4, votes: 0, score: 3.25 }));
    const shares = [
      { feature: 'text', value: 6.5, weight: 1, share: 6.5 },
      { feature: 'pageRank', value: 0.25, weight: 5, share: 1.25 },
      { feature: 'passage', value: 1, weight: 2, share: 2 },
    ];
    return { total: 9.75, is: 'sum' as const, shares, terms };
  }

  stats() {
    return { docCount: this.#documents.length, segmentCount: 1, sizeBytes: 4096, generation: 1 };
  }

  close(): void {}
}

/** Returns the words of the query without conditions such as `site:`, `lang:` and `after:`. */
function wordsOf(query: string): string[] {
  const typed = query.replaceAll(/(?:^| )(?:site|lang|after|filetype|kind):\S+/g, ' ');
  return typed.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function spellingOf(query: string): Pick<SearchResponse, 'spelling'> {
  if (query.startsWith('kuroshoi')) return { spelling: { query: 'kuroshio', automatic: false } };
  return query.startsWith('gyre gyer') ? { spelling: { query: 'gyre', automatic: true } } : {};
}

/** Returns facets as if all pages were in English and had no date. */
function facetsOf(matches: readonly SmallDocument[]): ResultFacets {
  const sites = new Map<string, number>();
  for (const { url } of matches) sites.set(hostOf(url), (sites.get(hostOf(url)) ?? 0) + 1);
  const count = matches.length;
  return {
    counted: Math.min(count, 30),
    sites: [...sites].map(([value, count]) => ({ value, count })),
    languages: [{ value: 'en', count }],
    collections: [],
    formats: [{ value: 'html', count }],
    periods: ['day', 'week', 'month', 'year'].map((value) => ({ value, count: 0 })),
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

function asResult({ url, title, text, picture }: SmallDocument, words: readonly string[]): SearchResult {
  const highlights = findWords(text, words);
  const fetchedAt = '2025-06-01T12:00:00.000Z';
  return {
    url,
    title,
    snippet: text,
    highlights,
    isPassage: true,
    host: hostOf(url),
    score: 1,
    fetchedAt,
    date: '2025-06-01',
    ...(url.endsWith('/') && { isEntry: true }),
    ...(picture && { images: [{ url: `${url}sheet.png`, label: picture, match: 1 }] }),
  };
}

function findWords(text: string, words: readonly string[]): [number, number][] {
  const found = Array.from(text.matchAll(/[\p{L}\p{N}]{1,100}/gu), (match): [number, number] => [
    match.index,
    match.index + match[0].length,
  ]);
  return found.filter(([start, end]) => words.includes(text.slice(start, end).toLowerCase()));
}
