/**
 * Requests the icon of a site under the lease of its host: one request, after robots.txt and with the usual
 * politeness delay. `site-icon.ts` decides which URL is requested, and what a response changes.
 *
 * An icon on another host is requested only if the URL rules allow it and the crawl knows the other host's
 * robots.txt. The request then obeys the other host's delays and limits, like a robots.txt on another host
 * (foreign-requests.ts). It waits at most `PATIENCE_MS` for them, because `/favicon.ico` is an
 * alternative.
 *
 * An image is archived. Any other response is not: when the archive is read again, an HTML page at
 * /favicon.ico would be taken for a page.
 */
import { decodeBody, MAX_ICON_BYTES, pictureType } from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize, originOf, pathOf } from '../../url/mod.ts';
import { describeUrlReason } from '../describe-wait.ts';
import { type FetchOutcome, header, type Response, type ResponseTrouble, troubleOf } from '../fetch/mod.ts';
import { type HostQueue, politeDelayMs, rulesOf } from '../frontier/mod.ts';
import type { HeldResponse } from '../parsing/mod.ts';
import { contentCodingOf } from '../response-headers.ts';
import { ALLOW_ALL, type RobotsOverrides, type RobotsRules, robotsVerdict } from '../robots/mod.ts';
import {
  askingFor,
  forgottenIcon,
  type IconAnswer,
  iconAfterAnswer,
  iconConditions,
  type SiteIcon,
  withoutNext,
} from '../state/mod.ts';
import { reasonOfTrouble } from './host-leases.ts';
import type { VisitServices } from './visit-services.ts';

const ACCEPT = 'image/png,image/x-icon,image/*;q=0.8,*/*;q=0.5';
/**
 * Content types of icons. Servers that do not know the type of an icon send one of these application types, or none.
 */
const ICON_TYPE = /^(?:image\/(?!svg)|application\/(?:octet-stream|ico)\b|$)/i;
/** Maximum time to wait until the other host that has the icon permits a request. */
const PATIENCE_MS = 5_000;

interface IconVisitOptions {
  robotsOverrides: RobotsOverrides;
  /** True if icons are fetched. If false, icons that an earlier run wanted are no longer wanted. */
  icons: boolean;
}

/** A sent request for an icon, and its outcome. */
interface IconRequest {
  url: CanonicalUrl;
  outcome: FetchOutcome;
  /** The reason why the response is not parsed; null if it is to be parsed. */
  trouble: ResponseTrouble | null;
  /** True if the request was sent to a host other than the leased one. */
  isGuest: boolean;
}

/** The result of an icon request: the new state of the icon, and the image to archive. */
interface IconVisited {
  icon: SiteIcon;
  /** The image, which is archived; null if there is none. */
  picture: HeldResponse | null;
  reason: string;
}

export class IconVisits {
  readonly #services: VisitServices;
  readonly #options: IconVisitOptions;

  constructor(services: VisitServices, options: IconVisitOptions) {
    this.#services = services;
    this.#options = options;
  }

  /** Sends at most one request for the icon of a leased host, then releases the host. */
  async visit(host: HostQueue): Promise<void> {
    const { recorder, progress, leases, clock } = this.#services;
    if (!this.#options.icons) host.keepIcon(forgottenIcon(host.icon!));
    const request = await this.ask(host);
    if (leases.isAbandoned) return;
    if (!request) return leases.release(host);
    const { url, outcome, trouble, isGuest } = request;
    const { elapsedMs } = outcome;
    const bytes = trouble ? 0 : (outcome as Response).payload.length;
    const { icon, picture, reason } = await this.take(host, request);
    if (leases.isAbandoned) return;
    host.keepIcon(icon);
    if (picture) recorder.archived(picture);
    if (isGuest) leases.responded(host, 0);
    else await leases.received(host, trouble, elapsedMs);
    const { status } = trouble ?? (outcome as Response);
    const time = new Date(clock.now()).toISOString();
    recorder.logged({ time, url, status, state: 'icon', reason, bytes, ms: elapsedMs });
    progress.fetchedIcon(bytes);
    leases.release(host);
  }

  /** Sends the next icon request of a leased host. Returns null if there is none, or if it may not be sent now. */
  async ask(host: HostQueue): Promise<IconRequest | null> {
    while (host.wantsIcon) {
      const url = host.icon!.next as CanonicalUrl;
      const rules = await this.#rulesFor(host, url);
      if (rules && robotsVerdict(rules.rules, pathOf(url)).allowed) {
        const leave = await this.#enter(host, originOf(url));
        if (leave === 'granted') return this.#send(host, url, rules);
        if (leave === 'later') return null;
      }
      host.keepIcon(withoutNext(host.icon!, host.origin, this.#services.clock.now()));
    }
    return null;
  }

  /** Decides what the response to an icon request changes. */
  async take(host: HostQueue, { url, outcome, trouble }: IconRequest): Promise<IconVisited> {
    const { clock, responseHandler } = this.#services;
    const answer = trouble ? answerOfTrouble(trouble) : answerOf(outcome as Response, url);
    const picture =
      answer.kind === 'picture' ? await responseHandler.takeIcon(url, outcome as Response) : null;
    const isExplained = trouble !== null && trouble.kind !== 'busy';
    const reason = isExplained ? describeUrlReason(reasonOfTrouble(trouble)) : answer.kind;
    const icon = iconAfterAnswer(host.icon!, answer, host.origin, clock.now());
    return { icon, picture, reason };
  }

  async #send(host: HostQueue, url: CanonicalUrl, { crawlDelayMs }: RobotsRules): Promise<IconRequest> {
    const { fetcher, foreign, politeness, clock } = this.#services;
    const wanted = (status: number, type: string) => status !== 200 || ICON_TYPE.test(type.trim());
    host.keepIcon(askingFor(host.icon!));
    const headers = { accept: ACCEPT, ...iconConditions(host.icon!) };
    const outcome = await fetcher.fetch(url, wanted, { headers, maxBodyBytes: MAX_ICON_BYTES });
    const trouble = troubleOf(outcome, clock.now());
    const isGuest = !foreign.shareGroup(originOf(url), host.origin);
    if (isGuest) {
      const asked = trouble?.kind === 'busy' ? (trouble.retryAfterMs ?? 0) : 0;
      const origin = originOf(url);
      const delayMs = politeDelayMs(politeness, origin, crawlDelayMs, outcome.elapsedMs);
      foreign.finished(origin, Math.max(asked, delayMs));
    }
    return { url, outcome, trouble, isGuest };
  }

  /** Returns the robots rules of the host that has the icon; null if the icon must not be requested. */
  async #rulesFor(host: HostQueue, url: CanonicalUrl): Promise<RobotsRules | null> {
    const { foreign, urlRules, productToken, slices, clock } = this.#services;
    const origin = originOf(url);
    if (origin === host.origin) return host.rules;
    if (urlRules.decide(url, 0).verb === 'ignore') return null;
    if (this.#options.robotsOverrides.includes(origin)) return ALLOW_ALL;
    const row = await foreign.rowOf(origin);
    const isKnown = row?.robots && row.robots.expiresAt > clock.now() && row.parkedReason === null;
    return isKnown ? rulesOf(row, productToken, slices) : null;
  }

  /** Waits until another host permits an icon request, unless that takes too long. */
  async #enter(host: HostQueue, origin: string): Promise<'granted' | 'later' | 'refused'> {
    const { foreign, clock } = this.#services;
    if (foreign.shareGroup(origin, host.origin)) return 'granted';
    const permission = await foreign.reserve(origin);
    if (permission.kind === 'granted') return 'granted';
    if (permission.untilMs > clock.now() + PATIENCE_MS) return 'refused';
    host.waitUntil(permission.untilMs, { code: 'icon-elsewhere', origin });
    return 'later';
  }
}

function answerOfTrouble(trouble: ResponseTrouble): IconAnswer {
  const isPassing = trouble.kind === 'busy' || (trouble.kind === 'failed' && trouble.retry);
  return { kind: isPassing ? 'trouble' : 'no-picture' };
}

function answerOf(response: Response, url: CanonicalUrl): IconAnswer {
  const { status, payload, headers } = response;
  if (status === 304) return { kind: 'unchanged' };
  const location = header(response, 'location');
  const to = status >= 300 && status < 400 && location !== '' ? canonicalize(location, url) : null;
  if (to) return { kind: 'moved', to };
  const decoded = status === 200 ? decodeBody(payload, contentCodingOf(headers), MAX_ICON_BYTES) : null;
  if (decoded?.kind !== 'decoded' || pictureType(decoded.body) === null) return { kind: 'no-picture' };
  return { kind: 'picture', etag: header(response, 'etag'), lastModified: header(response, 'last-modified') };
}
