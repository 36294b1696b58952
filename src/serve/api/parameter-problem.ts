/**
 * Converts schema validation errors of request parameters to the problem format that all other errors have.
 */

import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { RequestProblem } from '../errors.ts';
import { noQuery } from '../http/mod.ts';
import { ENGLISH_MESSAGES } from '../messages/mod.ts';

export function parameterProblem(errors: FastifySchemaValidationError[]): RequestProblem {
  const { keyword, instancePath, params, message = 'is invalid' } = errors[0]!;
  const name = instancePath.slice(1);
  if (keyword === 'required' && params.missingProperty === 'q') return noQuery();
  if (keyword === 'maxLength' && name === 'q') {
    const limit = ENGLISH_MESSAGES.number(Number(params.limit));
    return new RequestProblem(400, 'query-too-long', `The query is longer than ${limit} characters.`);
  }
  const { allowedValues } = params;
  const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return new RequestProblem(400, 'bad-parameter', `${name || 'The request'} ${message}${allowed}.`);
}
