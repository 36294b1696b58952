/**
 * Keeps the preferences and site rules of a searcher in a signed cookie. There are no accounts, and the
 * server stores nothing.
 */

export { NO_PREFERENCES, type Preferences, readPreferences } from './preferences.ts';
export { preferencesRoutes } from './preferences-page.ts';
export { ruleRoutes } from './rule-routes.ts';
