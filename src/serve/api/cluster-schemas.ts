/** The schemas of the admin API of a cluster, which gateways serve. */
import type { FastifySchema } from 'fastify';
import { problems } from './api-schemas.ts';

export const CLUSTER_ACTIONS = ['pause', 'resume', 'stop'] as const;
export const DEAD_LETTER_ACTIONS = ['resend', 'delete'] as const;

const action = { type: 'string', enum: CLUSTER_ACTIONS };
const letterAction = { type: 'string', enum: DEAD_LETTER_ACTIONS };
const open = { type: 'object', additionalProperties: true };

export const CLUSTER_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'State of the cluster',
  response: {
    200: {
      type: 'object',
      description: 'All facts, as gyre status --cluster FILE --json prints them.',
      required: ['name', 'problems'],
      properties: {
        name: { type: 'string' },
        problems: {
          type: 'array',
          items: {
            type: 'object',
            required: ['problem', 'help'],
            properties: {
              problem: { type: 'string' },
              help: { type: ['string', 'null'], description: 'A command that helps.' },
            },
            additionalProperties: false,
          },
        },
        nodes: { type: 'array', items: open },
        shards: { type: 'array', items: open },
        searchNodes: { type: 'array', items: open },
        vnodes: open,
        coordinator: open,
        crawl: open,
        queues: { type: ['object', 'null'], additionalProperties: true },
      },
      additionalProperties: true,
    },
    ...problems,
  },
};

export const CLUSTER_ACTION_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'Commands for all nodes of the cluster',
  body: { type: 'object', required: ['action'], properties: { action }, additionalProperties: false },
  response: {
    202: {
      type: 'object',
      description: 'Nodes obey within 5 s. `stop` ends all nodes, including the one that answers.',
      required: ['action'],
      properties: { action },
      additionalProperties: false,
    },
    ...problems,
  },
};

export const CLUSTER_SETTINGS_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'Seeds and crawl settings of all crawl nodes',
  body: {
    type: 'object',
    required: ['seeds', 'crawl'],
    properties: {
      seeds: { type: 'array', items: { type: 'string' } },
      crawl: { ...open, description: 'The section `crawl` of the settings, as in a cluster file.' },
    },
    additionalProperties: false,
  },
  response: {
    202: {
      type: 'object',
      description: 'Nodes use the settings within 5 s.',
      required: ['changed'],
      properties: { changed: { type: 'boolean', description: 'False if they were in use already.' } },
      additionalProperties: false,
    },
    ...problems,
  },
};

export const DEAD_LETTERS_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'Messages with links that no node could read or store',
  response: {
    200: {
      type: 'object',
      required: ['letters'],
      properties: { letters: { type: 'array', items: open } },
      additionalProperties: false,
    },
    ...problems,
  },
};

export const DEAD_LETTER_ACTION_SCHEMA: FastifySchema = {
  tags: ['admin'],
  summary: 'Sends all dead letters again, or deletes them',
  body: {
    type: 'object',
    required: ['action'],
    properties: { action: letterAction },
    additionalProperties: false,
  },
  response: {
    200: {
      type: 'object',
      required: ['action', 'count'],
      properties: { action: letterAction, count: { type: 'integer' } },
      additionalProperties: false,
    },
    ...problems,
  },
};
