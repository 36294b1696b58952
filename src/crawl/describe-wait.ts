/** Renders as English text why hosts wait, requests fail and URLs are refused. */
import type { DocumentFault } from '../page/mod.ts';
import { domainOfOrigin } from '../url/mod.ts';
import { ADDRESS_REFUSED } from './fetch/mod.ts';
import type { HostFailure, HostRow, ParkedReason, Problem, UrlReason, WaitReason } from './state/mod.ts';

export function describeFailure(failure: HostFailure): string {
  if (failure.code === 'http-status') return `HTTP ${failure.status}`;
  return failure.code === 'address-refused' ? ADDRESS_REFUSED : failure.cause;
}

/** Returns the reason why a host that has URLs to fetch has no request in flight. */
export function describeWait(host: HostRow, now: number): string {
  const seconds = Math.ceil((host.nextFetchAt - now) / 1000);
  if (host.isHeldBack) return `held back: ${describeHeldBack(host.origin)}`;
  if (host.parkedReason && seconds > 0)
    return `parked for ${seconds} s: ${describeParked(host.parkedReason)}`;
  if (host.waitReason && seconds > 0) return `waits ${seconds} s: ${describeWaitReason(host.waitReason)}`;
  if (seconds > 0) return `its delay of ${host.delayMs} ms ends in ${seconds} s`;
  return host.robots ? 'ready' : 'ready to fetch robots.txt';
}

export function describeProblem(problem: Problem): string {
  return problem.parked
    ? `host parked: ${describeParked(problem.parked)}`
    : describeUrlReason(problem.reason);
}

const FAULTS: Readonly<Record<DocumentFault, string>> = {
  encrypted: 'encrypted document',
  damaged: 'damaged document',
  'missing-part': 'document without its main part',
  'too-large': 'document too large when decompressed',
  'other-format': 'unreadable',
};

export function describeUrlReason(reason: UrlReason): string {
  switch (reason.code) {
    case 'http-status':
    case 'no-response':
    case 'address-refused':
    case 'unreadable':
      return describeFailure(reason);
    case 'unwanted-type':
      return `unwanted type ${reason.type}`;
    case 'url-rule':
      return `URL rule: ${reason.rule}`;
    case 'trap':
      return `trap: ${reason.kind} ${reason.pattern}`;
    case 'robots':
      return reason.line === null
        ? 'robots.txt: too many rules apply to this URL'
        : `robots.txt line ${reason.line}`;
    case 'mirrored':
      return `mirror of ${reason.primary}`;
    case 'removed':
      return 'removed by the operator';
    case 'truncated-sitemap':
      return 'sitemap, truncated';
    case 'no-page':
      return 'unreadable';
    case 'broken-document':
      return FAULTS[reason.fault];
    case 'unknown':
      return 'not known: stored by an earlier version';
    default:
      return reason.code;
  }
}

function describeHeldBack(origin: string): string {
  const name = domainOfOrigin(origin);
  return `its domain ${name} has as many hosts as its budget allows; crawl.domains ["${name}"] lifts the budget`;
}

function describeParked(reason: ParkedReason): string {
  switch (reason.code) {
    case 'failed':
      return describeRequest(reason);
    case 'long-delay':
      return `a delay of ${Math.round(reason.delayMs / 1000)} s between requests`;
    case 'host-budget-used':
      return `budget of ${reason.pages} pages used`;
    case 'domain-budget-used':
      return `budget of ${reason.pages} pages of the domain ${reason.domain} used`;
    case 'parser-deaths':
      return `${reason.pages} pages ended their parser threads or took too long`;
    case 'unknown':
      return 'parked by an earlier version';
  }
}

function describeWaitReason(reason: WaitReason): string {
  switch (reason.code) {
    case 'failed':
      return `${describeRequest(reason)}, failure ${reason.failures} in a row`;
    case 'retry-after':
      return `Retry-After of ${describeRequest(reason)}`;
    case 'host-group':
      return `host group: ${reason.group} ${reason.isBusy ? 'has a request in flight' : 'had a request a moment ago'}`;
    case 'address':
      return `address: ${reason.address} had a request a moment ago`;
    case 'domain-rate':
      return `domain: hosts of ${reason.domain} share ${reason.requestsPerSecond} requests per second`;
    case 'robots-elsewhere':
      return `its robots.txt is on ${reason.origin}`;
    case 'icon-elsewhere':
      return `its icon is on ${reason.origin}`;
    case 'slow-parsing':
      return `a page of it took ${(reason.parseMs / 1000).toFixed(1)} s to parse`;
  }
}

function describeRequest({
  request,
  failure,
}: Extract<WaitReason | ParkedReason, { request: string }>): string {
  return `${request === 'robots' ? 'robots.txt: ' : ''}${describeFailure(failure)}`;
}
