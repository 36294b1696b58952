/** The schemas of the routes that give out pages and records to programs. */
import type { FastifySchema } from 'fastify';
import { problems } from './api-schemas.ts';

const text = { type: 'string' };
const moment = { type: 'string', format: 'date-time' };

const typedRecord = {
  type: 'object',
  description: 'A typed record, as gyre extract shows it.',
  required: ['type', 'source', 'facts', 'problems'],
  properties: {
    type: { ...text, description: 'The type whose fields the record has, such as JobPosting.' },
    statedType: { ...text, description: 'The type that the page states, if it is a subtype.' },
    source: {
      ...text,
      description:
        'Where the record comes from: json-ld, microdata, rdfa, list, or a rule with its file and line.',
    },
    id: text,
    facts: { type: 'object', description: 'Lists of values by field.', additionalProperties: true },
    problems: { type: 'array', items: text, description: 'Why the record does not fit its type.' },
  },
  additionalProperties: false,
};

export const PAGE_SCHEMA: FastifySchema = {
  tags: ['data'],
  summary: 'The newest contents of a page: text, typed records, and links if wanted',
  querystring: {
    type: 'object',
    required: ['url'],
    properties: {
      url: { type: 'string', minLength: 1, description: 'The URL of the page, or of an alias of it.' },
      links: { type: 'boolean', default: false, description: 'True to get the links of the page, too.' },
    },
    additionalProperties: false,
  },
  response: {
    200: {
      type: 'object',
      required: [
        ...['url', 'title', 'description', 'language', 'contentType', 'text', 'records'],
        ...['fetchedAt', 'record'],
      ],
      properties: {
        url: { ...text, description: 'The canonical URL of the page.' },
        title: text,
        description: text,
        language: { ...text, description: 'Language tag of the page, or empty.' },
        contentType: text,
        publishedAt: moment,
        modifiedAt: moment,
        collections: { type: 'array', items: text },
        incomplete: { type: 'boolean', description: 'True if the rest of the page was not read.' },
        text: { ...text, description: 'Plain text, with one line for each paragraph, heading or cell.' },
        records: { type: 'array', items: typedRecord },
        links: {
          type: 'array',
          items: {
            type: 'object',
            required: ['url', 'text', 'nofollow'],
            properties: { url: text, text, nofollow: { type: 'boolean' } },
            additionalProperties: false,
          },
        },
        fetchedAt: moment,
        record: {
          type: 'object',
          description: 'The record of the archive: url and at find it at /api/v1/admin/record.',
          required: ['url', 'at', 'digest'],
          properties: {
            url: text,
            at: text,
            digest: { ...text, description: 'SHA-1 of the body in base 32.' },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    ...problems,
  },
};

export const CHANGES_SCHEMA: FastifySchema = {
  tags: ['data'],
  summary: 'The pages that were added, changed and removed since a cursor',
  description:
    'Clients that accept text/event-stream get the events one by one until they leave; the id of an event is the cursor after it, and Last-Event-ID continues there.',
  querystring: {
    type: 'object',
    properties: {
      cursor: {
        type: 'string',
        maxLength: 1000,
        description:
          'The cursor of an earlier response; absent for everything, "now" for what comes from now on.',
      },
      wait: {
        type: 'integer',
        minimum: 0,
        maximum: 60,
        default: 0,
        description: 'Seconds to wait for a change if there is none.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 100,
        description: 'Events per response.',
      },
      records: {
        type: 'boolean',
        default: false,
        description: 'True to get the typed records of the pages.',
      },
    },
    additionalProperties: false,
  },
  response: {
    200: {
      type: 'object',
      required: ['events', 'cursor', 'more'],
      properties: {
        events: {
          type: 'array',
          items: {
            type: 'object',
            required: ['type', 'at'],
            properties: {
              type: { type: 'string', enum: ['added', 'changed', 'removed'] },
              url: text,
              target: {
                ...text,
                description: 'The pages that the operator removed together: a prefix with a star, or a host.',
              },
              at: { ...moment, description: 'The time of the fetch or of the removal.' },
              ...{ title: text, language: text, contentType: text },
              digest: { ...text, description: 'SHA-1 of the body in base 32.' },
              ...{ publishedAt: moment, modifiedAt: moment },
              collections: { type: 'array', items: text },
              records: { type: 'array', items: typedRecord },
              reason: {
                ...text,
                description:
                  'Why a page was removed: gone, redirect, duplicate, canonical, noindex, operator …',
              },
              of: { ...text, description: 'The page of which the URL is an alias now.' },
            },
            additionalProperties: false,
          },
        },
        cursor: { ...text, description: 'Send it to get the next changes.' },
        more: { type: 'boolean', description: 'True if there are more changes now.' },
      },
      additionalProperties: false,
    },
    ...problems,
  },
};
