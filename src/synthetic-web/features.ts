/**
 * Lists all features by name, each with the function that plans it and its usual amount, which the option
 * `true` means.
 */
import type { FeatureContext, FeaturePart } from './feature.ts';
import {
  planBombs,
  planBrokenMarkup,
  planCalendarTrap,
  planCanonical,
  planChanging,
  planDeepLinks,
  planEncodings,
  planEndlessStream,
  planErrors,
  planExactDuplicates,
  planFeeds,
  planFlaky,
  planHanging,
  planHugeHeaders,
  planHugePages,
  planIcons,
  planJobPortal,
  planMirrors,
  planMissingCharset,
  planNearDuplicates,
  planNofollow,
  planNoindex,
  planParameterTrap,
  planPathTrap,
  planPatience,
  planRedirectLoops,
  planRedirects,
  planRobots,
  planSessionIds,
  planSessionTrap,
  planSitemaps,
  planSlow,
  planSoft404,
  planTemplateTrap,
  planScatteredTopic,
  planTopic,
  planTruncated,
  planWrongCharset,
  planWrongTypes,
  planXRobotsTag,
} from './features/mod.ts';

interface Feature<Truth> {
  usual: number;
  plan(context: FeatureContext, count: number): FeaturePart<Truth>;
}

export const WEB_FEATURES = {
  robots: feature(1, planRobots),
  redirects: feature(1, planRedirects),
  redirectLoops: feature(1, planRedirectLoops),
  calendarTrap: feature(1, planCalendarTrap),
  pathTrap: feature(1, planPathTrap),
  parameterTrap: feature(1, planParameterTrap),
  sessionIds: feature(1, planSessionIds),
  sessionTrap: feature(1, planSessionTrap),
  exactDuplicates: feature(10, planExactDuplicates),
  nearDuplicates: feature(16, planNearDuplicates),
  soft404: feature(2, planSoft404),
  errors403: feature(5, planErrors(403)),
  errors404: feature(5, planErrors(404)),
  errors410: feature(5, planErrors(410)),
  errors500: feature(5, planErrors(500)),
  tooMany: feature(2, planPatience(429)),
  unavailable: feature(2, planPatience(503)),
  flaky: feature(9, planFlaky),
  slow: feature(2, planSlow),
  hanging: feature(3, planHanging),
  endlessStream: feature(2, planEndlessStream),
  truncated: feature(2, planTruncated),
  hugeHeaders: feature(1, planHugeHeaders),
  wrongCharset: feature(9, planWrongCharset),
  missingCharset: feature(9, planMissingCharset),
  encodings: feature(8, planEncodings),
  bombs: feature(4, planBombs),
  hugePages: feature(2, planHugePages),
  changing: feature(24, planChanging),
  sitemaps: feature(1, planSitemaps),
  feeds: feature(1, planFeeds),
  canonical: feature(14, planCanonical),
  nofollow: feature(4, planNofollow),
  noindex: feature(7, planNoindex),
  xRobotsTag: feature(6, planXRobotsTag),
  wrongTypes: feature(10, planWrongTypes),
  brokenMarkup: feature(12, planBrokenMarkup),
  deepLinks: feature(30, planDeepLinks),
  topic: feature(60, planTopic),
  mirrors: feature(4, planMirrors),
  templateTrap: feature(1, planTemplateTrap),
  icons: feature(1, planIcons),
  scatteredTopic: feature(60, planScatteredTopic),
  jobPortal: feature(60, planJobPortal),
} as const;

export type FeatureName = keyof typeof WEB_FEATURES;
export type Features = Partial<Record<FeatureName, number | true>>;

/** The ground truth of every feature; an empty list for a feature that is off. */
export type WebTruth = { [Name in FeatureName]: ReturnType<(typeof WEB_FEATURES)[Name]['plan']>['truth'] };

export const WEB_FEATURE_NAMES = Object.keys(WEB_FEATURES) as FeatureName[];

function feature<Truth>(usual: number, plan: Feature<Truth>['plan']): Feature<Truth> {
  return { usual, plan };
}
