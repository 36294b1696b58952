/**
 * url: canonical URLs, hosts and registrable domains, and the URL rules that decide what a crawl does with a URL.
 * Two URLs with the same canonical form are the same page.
 */

export { type CanonicalUrl, canonicalize, MAX_URL_LENGTH } from './canonical.ts';
export { normalizeEscapes, unescaped } from './escapes.ts';
export { type HostAccess, parseHostAccess } from './host-access.ts';
export { readHostName } from './host-name.ts';
export { parseHostPattern } from './host-patterns.ts';
export {
  addressElsewhere,
  type OtherEngine,
  parseOtherEngine,
  readBang,
} from './other-engines.ts';
export { findHostGroup, type HostGroup, partitionOf, VNODES } from './partition.ts';
export {
  domainOfOrigin,
  entryDirectoryOf,
  fingerprint,
  fingerprintRange,
  hostOf,
  isEntryUrl,
  localityKey,
  originOf,
  pathOf,
  registrableDomain,
} from './parts.ts';
export { createScope } from './scope.ts';
export {
  formatSiteRules,
  isSiteEffect,
  joinSiteRules,
  parseSiteRule,
  parseSiteRules,
  readSite,
  SITE_EFFECTS,
  type SiteEffect,
  SiteJudge,
  type SiteRule,
} from './site-rules.ts';
export { readDomainLists } from './url-list.ts';
export { languageSuffixesOf, languagesIn, withoutLanguage } from './url-language.ts';
export {
  createUrlRules,
  keyOfPlan,
  rulesOfPlan,
  type UrlRule,
  type UrlRules,
  type UrlRulesPlan,
  type UrlVerb,
} from './url-rules.ts';
export { parseUrlRules } from './url-rules-config.ts';
