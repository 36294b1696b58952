/**
 * The crawl of `gyre selftest` and its checks: a synthetic web with every kind of page and misbehaviour is crawled by
 * this program, which is killed once, and the result is compared with what the web is known to contain.
 */

export { type Check, checksOf } from './checks.ts';
export { crawlWithKill } from './crawl-with-kill.ts';
