/**
 * robots.txt by RFC 9309: fetching, parsing and verdicts. All rules of a file are compiled into one
 * automaton, so that the time of a verdict depends on the length of the URL, not on the number of rules.
 */

export { fetchRobots, firstRobotsStep, isFresh, type RobotsAnswer, type RobotsStep } from './robots-fetch.ts';
export { ALLOW_ALL, createRobotsOverrides, type RobotsOverrides } from './robots-overrides.ts';
export {
  parseRobots,
  type RobotsRules,
  robotsParsing,
  robotsVerdict,
} from './robots-rules.ts';
