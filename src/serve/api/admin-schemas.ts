/** The schemas of the admin API: commands for the crawl, inspection of URLs, and removals. */
import type { FastifySchema } from 'fastify';
import { crawlOrNone, problems } from './api-schemas.ts';

export const CRAWL_ACTIONS = ['start', 'pause', 'resume', 'stop'] as const;
const action = { type: 'string', enum: CRAWL_ACTIONS };

export const CRAWL_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'State of the crawl',
  response: {
    200: {
      type: 'object',
      required: ['crawl'],
      properties: { crawl: crawlOrNone },
      additionalProperties: false,
    },
    ...problems,
  },
};

export const CRAWL_ACTION_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'Commands for the crawl',
  body: { type: 'object', required: ['action'], properties: { action }, additionalProperties: false },
  response: {
    202: {
      type: 'object',
      description: 'Read within a second, and applied after the requests in flight.',
      required: ['action', 'crawl'],
      properties: { action, crawl: crawlOrNone },
      additionalProperties: false,
    },
    ...problems,
  },
};

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const MAX_TARGETS = 100;

export const INSPECT_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'The whole life of a URL, and why searches find it or not',
  querystring: {
    type: 'object',
    required: ['url'],
    properties: {
      url: { type: 'string', minLength: 1, description: 'The URL to inspect.' },
      query: { type: 'string', description: 'A query whose results are explained for this URL.' },
      below: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        description: 'The place of the result to compare with; by default the one directly above the URL.',
      },
    },
    additionalProperties: false,
  },
  response: {
    200: {
      type: 'object',
      description: 'All facts, as gyre inspect --json prints them.',
      required: ['url', 'cause', 'visits'],
      properties: {
        url: text,
        cause: {
          type: 'object',
          description: 'The reason why searches find the URL or not.',
          required: ['code'],
          properties: { code: text },
          additionalProperties: true,
        },
        visits: { type: 'array', items: { type: 'object', additionalProperties: true } },
      },
      additionalProperties: true,
    },
    ...problems,
  },
};

export const FETCH_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'Asks the crawl to fetch a URL now',
  body: { type: 'object', required: ['url'], properties: { url: text }, additionalProperties: false },
  response: {
    202: {
      type: 'object',
      required: ['url', 'note'],
      properties: { url: text, note: { ...text, description: 'What happens now, as a sentence.' } },
      additionalProperties: false,
    },
    ...problems,
  },
};

/** The maximum number of URLs in a batch. */
const MAX_URLS = 1_000;
const count = { type: 'integer', minimum: 0 };

export const URLS_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'Takes URLs from another program into the crawl',
  description:
    'The body is a JSON array of URLs, or text/uri-list: one URL per line, and lines with # are comments. URLs that the crawl knows are not fetched again.',
  body: { type: 'array', minItems: 1, maxItems: MAX_URLS, items: { type: 'string', maxLength: 10_000 } },
  response: {
    202: {
      type: 'object',
      required: ['accepted', 'known', 'refused', 'urls'],
      properties: {
        ...{ accepted: count, known: count, refused: count },
        urls: {
          type: 'array',
          description: 'The URLs in the order of the request.',
          items: {
            type: 'object',
            required: ['url', 'status'],
            properties: {
              url: { ...text, description: 'The canonical URL; the given one if it is no URL.' },
              status: { type: 'string', enum: ['accepted', 'known', 'refused'] },
              code: { ...text, description: 'bad-url, url-ignored, url-removed or list-full.' },
              reason: text,
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

const file = { description: 'The file.', content: { 'application/octet-stream': { schema: {} } } };

export const RECORD_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'A record of the archive, as a WARC file of one record',
  querystring: {
    type: 'object',
    required: ['url'],
    properties: {
      url: { type: 'string', minLength: 1 },
      at: {
        type: 'string',
        pattern: '^(\\d{14})?$',
        description: 'The time of the record; the newest by default.',
      },
    },
    additionalProperties: false,
  },
  response: { 200: file, ...problems },
};

export const POLITENESS_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'The politeness ledger: requests, bytes and delays with their causes, per host and day',
  querystring: {
    type: 'object',
    properties: { format: { type: 'string', enum: ['csv', 'json'], default: 'json' } },
    additionalProperties: false,
  },
  response: {
    200: {
      description: 'The ledger, the newest day first.',
      content: {
        'application/json': {
          schema: { type: 'array', items: { type: 'object', additionalProperties: true } },
        },
        'text/csv': { schema: { type: 'string' } },
      },
    },
    ...problems,
  },
};

export const WACZ_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'The pages of a list of results as WACZ, for web archive players',
  querystring: {
    type: 'object',
    required: ['q'],
    properties: {
      q: { type: 'string', minLength: 1, description: 'The query.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        default: 20,
        description: 'The number of results.',
      },
    },
    additionalProperties: false,
  },
  response: { 200: file, ...problems },
};

export const REMOVALS_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'The removed pages',
  response: {
    200: {
      type: 'object',
      required: ['settled', 'removed'],
      properties: {
        settled: { type: 'boolean', description: 'True if all data reflect the list.' },
        removed: { type: 'array', items: { type: 'object', additionalProperties: true } },
      },
      additionalProperties: false,
    },
    ...problems,
  },
};

export const REMOVAL_CHANGE_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'Removes pages, or allows them again',
  body: {
    type: 'object',
    required: ['action', 'targets'],
    properties: {
      action: { type: 'string', enum: ['remove', 'allow'] },
      targets: {
        ...texts,
        minItems: 1,
        maxItems: MAX_TARGETS,
        description: 'URLs, prefixes that end in a star, and hosts, as gyre remove takes them.',
      },
      purge: { type: 'boolean', description: 'True to delete every byte of the pages.' },
    },
    additionalProperties: false,
  },
  response: {
    202: {
      type: 'object',
      description: 'The list is changed; searches reflect it within seconds.',
      required: ['at', 'rules', 'nearDuplicates', 'notes'],
      properties: { at: text, rules: texts, nearDuplicates: texts, notes: texts },
      additionalProperties: false,
    },
    ...problems,
  },
};
