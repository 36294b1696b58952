/** A searcher's preferences and site rules, in a signed cookie: no account, nothing stored on the server. */

export { acceptOnlyForms } from './form-body.ts';
export { NO_PREFERENCES, type Preferences, readPreferences } from './preferences.ts';
export { preferencesRoutes } from './preferences-page.ts';
export { ruleRoutes } from './rule-routes.ts';
