/** For whom a page is rendered: the site, the words of their language, and what they prefer. */
import type { FastifyRequest } from 'fastify';
import { joinSiteRules, SiteJudge, type SiteRule } from '../query/mod.ts';
import { NO_PREFERENCES, type Preferences, readPreferences } from './preferences.ts';
import type { Site } from './site.ts';
import { ENGLISH, type Words, wordsFor, wordsOf } from './words/words.ts';

export interface View {
  site: Site;
  words: Words;
  preferences: Preferences;
  /** The operator's rules for sites, and over them the searcher's own. */
  rules: readonly SiteRule[];
  judge: SiteJudge;
}

export function viewOf(site: Site, request: FastifyRequest): View {
  const preferences = readPreferences(request.headers.cookie, site.secret);
  const words = wordsOf(preferences.language) ?? wordsFor(request.headers['accept-language'] ?? '');
  return withRules(site, words, preferences);
}

/** For nobody in particular. */
export function plainView(site: Site): View {
  return withRules(site, ENGLISH, NO_PREFERENCES);
}

function withRules(site: Site, words: Words, preferences: Preferences): View {
  const rules = joinSiteRules(site.siteRules, preferences.rules);
  return { site, words, preferences, rules, judge: new SiteJudge(rules) };
}
