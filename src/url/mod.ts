/** url: what an address is, when two are the same, whose it is, and what a crawl does with it. */
export {
  type Canonicalizer,
  type CanonicalUrl,
  canonicalize,
  canonicalizer,
  MAX_URL_LENGTH,
} from './canonical.ts';
export { normalizeEscapes, unescaped } from './escapes.ts';
export { readHostName } from './host-name.ts';
export {
  fingerprint,
  hostOf,
  isPublicSuffix,
  localityKey,
  originOf,
  pathOf,
  registrableDomain,
} from './parts.ts';
export { createScope, type Scope, type ScopeMode } from './scope.ts';
export { readUrlList, SHIPPED_LISTS, type UrlList } from './url-list.ts';
export {
  createUrlRules,
  rulesOfPlan,
  type UrlDecision,
  type UrlRule,
  type UrlRules,
  type UrlRulesConfig,
  type UrlRulesPlan,
  type UrlVerb,
} from './url-rules.ts';
export { parseUrlRules } from './url-rules-config.ts';
