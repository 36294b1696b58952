/** Features of the synthetic web: each makes sites misbehave in one way and records the ground truth. */

export { planBombs, planEncodings, planHugePages } from './bodies.ts';
export { type ChangingTruth, planChanging, versionAt, versionWord } from './changing.ts';
export { planDeepLinks } from './deep-links.ts';
export { planCanonical, planNofollow, planNoindex, planXRobotsTag } from './directives.ts';
export { jaccard, planExactDuplicates, planNearDuplicates } from './duplicates.ts';
export { planMissingCharset, planWrongCharset } from './encodings/mod.ts';
export { planErrors, planFlaky, planPatience, planSoft404 } from './failures.ts';
export { planFeeds } from './feeds.ts';
export { planIcons } from './icons.ts';
export { planBrokenMarkup, planWrongTypes } from './markup.ts';
export { planMirrors } from './mirrors.ts';
export { planJobPortal, type Posting, type PostingSlot, postingAt, postingsBetween } from './portal/mod.ts';
export { planRedirectLoops, planRedirects } from './redirects.ts';
export { planRobots } from './robots.ts';
export { planSessionIds, planSessionTrap } from './session-ids.ts';
export { planSitemaps } from './sitemaps.ts';
export { planEndlessStream, planHanging, planHugeHeaders, planSlow, planTruncated } from './slowness.ts';
export { planScatteredTopic, planTopic, TOPIC_TERMS } from './topics.ts';
export { planCalendarTrap, planParameterTrap, planPathTrap, planTemplateTrap } from './traps.ts';
