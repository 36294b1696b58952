/**
 * JSON Schemas of the JSON API. Fastify validates requests by them and serializes responses by them (a field
 * that is not in the schema does not leave the server), and /openapi.json is generated from them.
 */
import type { FastifySchema } from 'fastify';
import { FAMILY_LEVELS } from '../../query/mod.ts';

const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };

const q = {
  type: 'string',
  maxLength: 2000,
  description: 'The query, in the language of the search box.',
};

const family = {
  type: 'string',
  enum: FAMILY_LEVELS,
  description: 'The level of the family filter; by default that of the engine.',
};

const problem = {
  description: 'The problem and the expected values (RFC 9457).',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['type', 'title', 'status', 'detail', 'code'],
        properties: { type: text, title: text, status: { type: 'integer' }, detail: text, code: text },
        additionalProperties: false,
      },
    },
  },
};

export const problems = { '4xx': problem, '5xx': problem };

const result = {
  type: 'object',
  required: ['url', 'title', 'snippet', 'highlights', 'host', 'score', 'fetchedAt'],
  properties: {
    url: text,
    title: text,
    snippet: { type: 'string', description: 'Plain text, never markup.' },
    highlights: {
      type: 'array',
      description: 'Ranges of query words in the snippet: [start, end) in UTF-16 units.',
      items: { type: 'array', items: count, minItems: 2, maxItems: 2 },
    },
    host: text,
    score: { type: 'number' },
    fetchedAt: { type: 'string', format: 'date-time' },
    date: {
      type: 'string',
      format: 'date',
      description: 'Date of publication or change, if the page or its server states one.',
    },
    language: {
      type: 'string',
      description: 'Language tag of the page, if known.',
    },
    format: {
      type: 'string',
      description: 'Format of the page, such as pdf or docx; absent for HTML.',
    },
    noCopy: {
      type: 'boolean',
      description: 'True if the page does not allow cached copies.',
    },
    moreFromSite: {
      type: 'object',
      required: ['count', 'query'],
      properties: { count, query: text },
      additionalProperties: false,
    },
    similar: { type: 'array', items: text },
    translations: {
      type: 'array',
      description: 'The same page in other languages; these pages are not listed as results.',
      items: {
        type: 'object',
        required: ['url', 'language'],
        properties: {
          url: text,
          language: { type: 'string', description: 'Language tag of the page, or empty.' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

const passage = {
  type: 'object',
  description:
    'A passage of one of the first results that answers the query; absent unless the evidence is strong.',
  required: ['url', 'title', 'host', 'text', 'highlights', 'heading', 'fetchedAt'],
  properties: {
    url: text,
    title: text,
    host: text,
    text: { type: 'string', description: 'One to three sentences. Plain text, never markup.' },
    highlights: result.properties.highlights,
    heading: { type: 'string', description: 'The heading above the passage, or empty.' },
    code: { type: 'string', description: 'The code that the passage introduces, with line breaks.' },
    language: result.properties.language,
    fetchedAt: result.properties.fetchedAt,
  },
  additionalProperties: false,
};

const answer = {
  type: 'object',
  required: ['kind', 'title', 'text', 'facts', 'links', 'source', 'time'],
  properties: {
    kind: {
      type: 'string',
      enum: ['calculation', 'conversion', 'time', 'weather', 'knowledge', 'site', 'news', 'shopping'],
    },
    title: text,
    text,
    facts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'value'],
        properties: { name: text, value: text },
        additionalProperties: false,
      },
    },
    links: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'url', 'detail'],
        properties: { title: text, url: text, detail: text, day: text },
        additionalProperties: false,
      },
    },
    source: {
      type: 'object',
      required: ['name', 'url'],
      properties: { name: text, url: text },
      additionalProperties: false,
    },
    time: { type: 'string', format: 'date-time' },
  },
  additionalProperties: false,
};

const counts = {
  type: 'array',
  items: {
    type: 'object',
    required: ['value', 'count'],
    properties: { value: text, count },
    additionalProperties: false,
  },
};

const facets = {
  type: 'object',
  description: 'How many of the best results have a value; absent with a cursor.',
  required: ['counted', 'sites', 'languages', 'formats', 'collections', 'periods'],
  properties: {
    counted: { ...count, description: 'The number of best results that were counted, at most 1,000.' },
    sites: counts,
    languages: counts,
    formats: counts,
    collections: { ...counts, description: "The operator's collections." },
    periods: { ...counts, description: 'The past day, week, month and year.' },
  },
  additionalProperties: false,
};

export const SEARCH_SCHEMA: FastifySchema = {
  tags: ['search'],
  summary: 'A page of results, best first',
  querystring: {
    type: 'object',
    required: ['q'],
    properties: {
      q,
      offset: {
        type: 'integer',
        minimum: 0,
        maximum: 1000,
        description: 'offset + limit may be up to 1,000.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Default 10.' },
      cursor: {
        type: 'string',
        maxLength: 200,
        pattern: '^[\\w-]*$',
        description: 'The cursor of an earlier response: continues after it and overrides offset.',
      },
      lang: { type: 'string', description: 'A language tag: only pages in this language.' },
      spelling: { type: 'string', description: '"off" turns automatic corrections off.' },
      family,
    },
  },
  response: {
    200: {
      type: 'object',
      required: ['query', 'total', 'tookMs', 'partial', 'notes', 'results'],
      properties: {
        query: text,
        total: count,
        tookMs: { type: 'number', minimum: 0 },
        partial: {
          type: 'boolean',
          description: 'True if a time limit or a damaged segment cut the results short.',
        },
        notes: { type: 'array', items: text },
        spelling: {
          type: 'object',
          description:
            'How the query was probably meant; automatic when the results are those of that query.',
          required: ['query', 'automatic'],
          properties: { query: text, automatic: { type: 'boolean' } },
          additionalProperties: false,
        },
        results: { type: 'array', items: result },
        passage,
        familyHidden: {
          ...count,
          description: 'Results that the family filter hides; absent if there are none.',
        },
        facets,
        cursor: { type: 'string', description: 'Send it to get the next results; absent at the end.' },
      },
      additionalProperties: false,
    },
    ...problems,
  },
};

export const IMAGES_SCHEMA: FastifySchema = {
  tags: ['search'],
  summary: 'Pictures of crawled pages, found by the texts about them',
  querystring: { type: 'object', required: ['q'], properties: { q, family } },
  response: {
    200: {
      type: 'object',
      required: ['query', 'images'],
      properties: {
        query: text,
        images: {
          type: 'array',
          items: {
            type: 'object',
            required: ['url', 'label', 'page'],
            properties: {
              url: { type: 'string', description: 'The address of the picture at its site.' },
              label: {
                type: 'string',
                description: 'Its description, caption or title, or the heading above it.',
              },
              page: {
                type: 'object',
                required: ['url', 'title', 'host'],
                properties: { url: text, title: text, host: text },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
    ...problems,
  },
};

export const SUGGEST_SCHEMA: FastifySchema = {
  tags: ['search'],
  summary: 'Suggestions for a prefix',
  querystring: {
    type: 'object',
    required: ['q'],
    properties: {
      q,
      limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Default 8.' },
    },
  },
  response: {
    200: {
      type: 'object',
      required: ['query', 'suggestions'],
      properties: {
        query: text,
        suggestions: {
          type: 'array',
          items: {
            type: 'object',
            required: ['text'],
            properties: { text, url: { type: 'string', description: 'The page with this title.' } },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
    ...problems,
  },
};

const degrees = (limit: number) => ({ type: 'number', minimum: -limit, maximum: limit });

export const PLACE_PROPERTIES = {
  latitude: { ...degrees(90), description: 'Location of the searcher; rounded to a tenth of a degree.' },
  longitude: degrees(180),
};

export const ANSWERS_SCHEMA: FastifySchema = {
  tags: ['search'],
  summary: 'Short answers: calculations, units, times, weather, knowledge, news, offers',
  description: 'In the language of Accept-Language if there are UI messages for it.',
  querystring: { type: 'object', required: ['q'], properties: { q, ...PLACE_PROPERTIES } },
  response: {
    200: {
      type: 'object',
      required: ['query', 'answers'],
      properties: { query: text, answers: { type: 'array', items: answer } },
      additionalProperties: false,
    },
    ...problems,
  },
};

const numbers = (...names: string[]) => ({
  anyOf: [
    {
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, count])),
      additionalProperties: false,
    },
    { type: 'null' },
  ],
});

const crawl = {
  type: 'object',
  required: ['state', 'pages', 'queued', 'errors'],
  properties: {
    state: { type: 'string', enum: ['crawling', 'indexing', 'paused', 'disk-full', 'idle'] },
    pages: count,
    queued: count,
    errors: count,
  },
  additionalProperties: false,
};

export const crawlOrNone = { anyOf: [crawl, { type: 'null' }] };

export const STATUS_SCHEMA: FastifySchema = {
  tags: ['status'],
  summary: 'State of the index and of the crawl',
  response: {
    200: {
      type: 'object',
      required: ['version', 'index', 'crawl'],
      properties: {
        version: text,
        index: numbers('docCount', 'segmentCount', 'sizeBytes', 'generation'),
        crawl: crawlOrNone,
      },
      additionalProperties: false,
    },
    ...problems,
  },
};
