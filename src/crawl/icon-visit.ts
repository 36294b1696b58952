/**
 * Asks for the icon of a site, under the lease of its host: one request, after robots.txt and as far from the last one as
 * any other. `site-icon.ts` says what is asked for, and what an answer changes.
 *
 * An icon that lies with another host is that host's matter too. It is asked for only if the URL rules allow it and the
 * crawl has the other's robots.txt; then it passes the other's gate like a robots.txt does (`enterAsGuest`). Nobody waits
 * long for that: there is the usual place as well.
 *
 * A picture is archived. What else comes under the name of an icon is not: read again from the archive, an HTML page at
 * /favicon.ico would be taken for a page.
 */
import { decodeBody } from '../archive/mod.ts';
import type { Clock } from '../base/mod.ts';
import { MAX_ICON_BYTES, pictureType } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, originOf, pathOf, type UrlRules } from '../url/mod.ts';
import { codingOf, header, type Trouble, troubleOf } from './answer.ts';
import type { Fetcher, FetchOutcome, Response } from './fetcher.ts';
import type { Frontier } from './frontier.ts';
import { type HostQueue, rulesOf } from './host-queue.ts';
import type { Intake } from './intake.ts';
import { type PolitenessOptions, politeDelayMs } from './politeness.ts';
import type { Ticket } from './readers.ts';
import { ALLOW_ALL, type RobotsOverrides } from './robots-overrides.ts';
import { type RobotsRules, robotsVerdict } from './robots-rules.ts';
import {
  askingFor,
  type IconAnswer,
  iconAfterAnswer,
  iconConditions,
  type SiteIcon,
  withoutNext,
} from './site-icon.ts';

const ACCEPT = 'image/png,image/x-icon,image/*;q=0.8,*/*;q=0.5';
/** Servers that do not know the type of an icon say one of these, or none. */
const ICON_TYPE = /^(?:image\/(?!svg)|application\/(?:octet-stream|ico)\b|$)/i;
/** How long a host waits for its turn with another that has its icon. */
const PATIENCE_MS = 5_000;

export interface IconVisitOptions {
  fetcher: Fetcher;
  frontier: Frontier;
  intake: Intake;
  urlRules: UrlRules;
  robotsOverrides: RobotsOverrides;
  politeness: PolitenessOptions;
  productToken: string;
  clock: Clock;
}

/** A request that was sent. */
export interface IconRequest {
  url: CanonicalUrl;
  outcome: FetchOutcome;
  /** Null when the answer is to be read. */
  trouble: Trouble | null;
  /** It went to another host than the one that is leased. */
  isGuest: boolean;
}

/** What it left behind. */
export interface IconVisited {
  icon: SiteIcon;
  /** For the archive. */
  picture: Ticket | null;
  reason: string;
}

export class IconVisits {
  readonly #options: IconVisitOptions;

  constructor(options: IconVisitOptions) {
    this.#options = options;
  }

  /** Sends the next request for the icon of a leased host; null when there is none to be sent, or not now. */
  async ask(host: HostQueue): Promise<IconRequest | null> {
    while (host.wantsIcon) {
      const url = host.row.icon!.next as CanonicalUrl;
      const rules = await this.#rulesFor(host, url);
      if (rules && robotsVerdict(rules.rules, pathOf(url)).allowed) {
        const leave = await this.#enter(host, originOf(url));
        if (leave === 'granted') return this.#send(host, url, rules);
        if (leave === 'later') return null;
      }
      host.keepIcon(withoutNext(host.row.icon!, host.row.origin, this.#options.clock.now()));
    }
    return null;
  }

  /** What came. The caller keeps it: icon and picture belong into one commit. */
  async take({ row }: HostQueue, { url, outcome, trouble }: IconRequest): Promise<IconVisited> {
    const { clock, intake } = this.#options;
    const answer = trouble ? answerOfTrouble(trouble) : answerOf(outcome as Response, url);
    const picture = answer.kind === 'picture' ? await intake.takeIcon(url, outcome as Response) : null;
    const icon = iconAfterAnswer(row.icon!, answer, row.origin, clock.now());
    return { icon, picture, reason: trouble && trouble.kind !== 'busy' ? trouble.reason : answer.kind };
  }

  async #send(host: HostQueue, url: CanonicalUrl, { crawlDelayMs }: RobotsRules): Promise<IconRequest> {
    const { fetcher, frontier, politeness, clock } = this.#options;
    const wanted = (status: number, type: string) => status !== 200 || ICON_TYPE.test(type.trim());
    host.keepIcon(askingFor(host.row.icon!));
    const headers = { accept: ACCEPT, ...iconConditions(host.row.icon!) };
    const outcome = await fetcher.fetch(url, wanted, { headers, maxBodyBytes: MAX_ICON_BYTES });
    const trouble = troubleOf(outcome, clock.now());
    const isGuest = !frontier.areOne(originOf(url), host.row.origin);
    if (isGuest) {
      const asked = trouble?.kind === 'busy' ? (trouble.retryAfterMs ?? 0) : 0;
      const delayMs = politeDelayMs(politeness, crawlDelayMs, outcome.elapsedMs);
      frontier.leaveAsGuest(originOf(url), Math.max(asked, delayMs));
    }
    return { url, outcome, trouble, isGuest };
  }

  /** The rules that hold for the icon; null if it is not to be asked for. */
  async #rulesFor(host: HostQueue, url: CanonicalUrl): Promise<RobotsRules | null> {
    const { frontier, urlRules, robotsOverrides, productToken, clock } = this.#options;
    const origin = originOf(url);
    if (origin === host.row.origin) return host.rules;
    if (urlRules.decide(url, 0).verb === 'ignore') return null;
    if (robotsOverrides.includes(origin)) return ALLOW_ALL;
    const row = await frontier.rowOf(origin);
    const isKnown = row?.robots && row.robots.expiresAt > clock.now() && row.setAside === '';
    return isKnown ? rulesOf(row, productToken) : null;
  }

  /** Passes the gate of another host, if that is not long closed. */
  async #enter({ row }: HostQueue, origin: string): Promise<'granted' | 'later' | 'refused'> {
    const { frontier, clock } = this.#options;
    if (frontier.areOne(origin, row.origin)) return 'granted';
    const opensAt = await frontier.enterAsGuest(origin);
    if (opensAt === 0) return 'granted';
    if (opensAt > clock.now() + PATIENCE_MS) return 'refused';
    row.nextFetchAt = opensAt;
    row.waitsFor = `its icon is with ${origin}`;
    return 'later';
  }
}

function answerOfTrouble(trouble: Trouble): IconAnswer {
  const isPassing = trouble.kind === 'busy' || (trouble.kind === 'failed' && trouble.retry);
  return { kind: isPassing ? 'trouble' : 'no-picture' };
}

function answerOf(response: Response, url: CanonicalUrl): IconAnswer {
  const { status, payload, headers } = response;
  if (status === 304) return { kind: 'unchanged' };
  const location = header(response, 'location');
  const to = status >= 300 && status < 400 && location !== '' ? canonicalize(location, url) : null;
  if (to) return { kind: 'moved', to };
  const decoded = status === 200 ? decodeBody(payload, codingOf(headers), MAX_ICON_BYTES) : null;
  if (decoded?.kind !== 'decoded' || pictureType(decoded.body) === null) return { kind: 'no-picture' };
  return { kind: 'picture', etag: header(response, 'etag'), lastModified: header(response, 'last-modified') };
}
