/**
 * The context in which a page is rendered: the site, the UI messages in the searcher's language, and the
 * preferences.
 */
import type { FastifyRequest } from 'fastify';
import type { Arrival } from '../query/mod.ts';
import { joinSiteRules, SiteJudge, type SiteRule } from '../url/mod.ts';
import { arrivalOf } from './guards/mod.ts';
import { messagesOf, type Words, wordsFor } from './messages/mod.ts';
import { type Preferences, readPreferences } from './preferences/mod.ts';
import type { ServerContext } from './server-context.ts';

export interface View {
  site: ServerContext;
  words: Words;
  preferences: Preferences;
  /** The operator's rules for sites, overridden by the searcher's own. */
  rules: readonly SiteRule[];
  judge: SiteJudge;
  /** Arrival time and cancellation of the HTTP request for the page. */
  arrival: Arrival;
}

export function viewOf(site: ServerContext, request: FastifyRequest): View {
  const preferences = readPreferences(request.headers.cookie, site.secret);
  const words = messagesOf(preferences.language) ?? wordsFor(request.headers['accept-language'] ?? '');
  return withRules(site, words, preferences, arrivalOf(request));
}

function withRules(site: ServerContext, words: Words, preferences: Preferences, arrival: Arrival = {}): View {
  const rules = joinSiteRules(site.siteRules, preferences.rules);
  return { site, words, preferences, rules, judge: new SiteJudge(rules), arrival };
}
