/** Carries out a form: the result, or what is wrong with the input, is shown on the page that follows. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { RequestProblem } from '../errors.ts';
import { type FormFields, ownForm } from '../http/mod.ts';
import { sessionOf, whoOf } from '../sign-in/mod.ts';

/**
 * Adds a route for a form. `act` returns a sentence about what was done; a UsageError that it throws is shown to the
 * person. `back` is the page that follows.
 */
export function formRoute(
  server: FastifyInstance,
  path: string,
  back: string | ((fields: FormFields) => string),
  act: (fields: FormFields, who: string) => Promise<string> | string,
  options: { bodyLimit?: number } = {},
): void {
  server.post(path, options, async (request, reply) => {
    const fields = ownForm(request);
    await actAndTell(request, () => act(fields, whoOf(request)));
    return reply.redirect(typeof back === 'string' ? back : back(fields), 303);
  });
}

async function actAndTell(request: FastifyRequest, act: () => Promise<string> | string): Promise<void> {
  const session = sessionOf(request);
  try {
    session.notice = { kind: 'done', text: await act() };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof RequestProblem)) throw error;
    session.notice = { kind: 'problem', text: error.message };
  }
}
