/** All features by name: how to plan each, and how much of it `true` means. */
import type { FeatureContext, FeaturePart } from './feature.ts';
import { planBombs, planEncodings, planHugePages } from './features/bodies.ts';
import { planChanging } from './features/changing.ts';
import { planMissingCharset, planWrongCharset } from './features/charsets.ts';
import { planDeepLinks } from './features/deep-links.ts';
import { planCanonical, planNofollow, planNoindex, planXRobotsTag } from './features/directives.ts';
import { planExactDuplicates, planNearDuplicates } from './features/duplicates.ts';
import { planErrors, planFlaky, planPatience, planSoft404 } from './features/failures.ts';
import { planFeeds } from './features/feeds.ts';
import { planIcons } from './features/icons.ts';
import { planBrokenMarkup, planWrongTypes } from './features/markup.ts';
import { planMirrors } from './features/mirrors.ts';
import { planRedirectLoops, planRedirects } from './features/redirects.ts';
import { planRobots } from './features/robots.ts';
import { planSessionIds, planSessionTrap } from './features/session-ids.ts';
import { planSitemaps } from './features/sitemaps.ts';
import {
  planEndlessStream,
  planHanging,
  planHugeHeaders,
  planSlow,
  planTruncated,
} from './features/slowness.ts';
import { planTopic } from './features/topics.ts';
import { planCalendarTrap, planParameterTrap, planPathTrap, planTemplateTrap } from './features/traps.ts';

interface Feature<Truth> {
  usual: number;
  plan(context: FeatureContext, count: number): FeaturePart<Truth>;
}

export const FEATURES = {
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
  changing: feature(16, planChanging),
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
} as const;

export type FeatureName = keyof typeof FEATURES;
export type Features = Partial<Record<FeatureName, number | true>>;

/** The ground truth of every feature; an empty list for those that are off. */
export type WebTruth = { [Name in FeatureName]: ReturnType<(typeof FEATURES)[Name]['plan']>['truth'] };

export const FEATURE_NAMES = Object.keys(FEATURES) as FeatureName[];

function feature<Truth>(usual: number, plan: Feature<Truth>['plan']): Feature<Truth> {
  return { usual, plan };
}
