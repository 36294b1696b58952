/**
 * The context in which a page is rendered: the site, the UI messages in the searcher's language, and the
 * preferences.
 */
import type { FastifyRequest } from 'fastify';
import type { Arrival, FamilyLevel } from '../query/mod.ts';
import { joinSiteRules, SiteJudge, type SiteRule } from '../url/mod.ts';
import { arrivalOf } from './guards/mod.ts';
import { languageFor, messagesOf, type Words, wordsFor } from './messages/mod.ts';
import { type Preferences, readPreferences } from './preferences/mod.ts';
import type { ServerContext } from './server-context.ts';

export interface View {
  site: ServerContext;
  words: Words;
  preferences: Preferences;
  /** The language of the searcher as a primary language subtag such as `de`; empty if unknown. */
  language: string;
  /** The searcher's level of the family filter; absent for the default level of the engine. */
  family?: FamilyLevel;
  /** The site rules of the operator and of the searcher. The searcher's rules override the operator's. */
  rules: readonly SiteRule[];
  judge: SiteJudge;
  /** The arrival time and the cancellation of the HTTP request for the page. */
  arrival: Arrival;
}

export function viewOf(site: ServerContext, request: FastifyRequest): View {
  const preferences = readPreferences(request.headers.cookie, site.secret);
  const accepted = request.headers['accept-language'] ?? '';
  const words = messagesOf(preferences.language) ?? wordsFor(accepted);
  const language = preferences.language || languageFor(accepted);
  const rules = joinSiteRules(site.siteRules, preferences.rules);
  return {
    site,
    words,
    preferences,
    language,
    ...(preferences.family !== '' && { family: preferences.family }),
    rules,
    judge: new SiteJudge(rules),
    arrival: arrivalOf(request),
  };
}
