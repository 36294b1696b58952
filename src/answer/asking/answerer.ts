/**
 * Asks all answer boxes about a query at the same time, and takes the answers that arrive within the time
 * budget.
 *
 * A box that fails or is late is left out: search results never wait for it, and its error is only logged. The
 * answer of a late box is cached, so that the next request for the same query gets it at once.
 */
import { BoundedCache, type Clock, type Log, messageOf } from '../../base/mod.ts';
import type { FamilyLevel } from '../../query/mod.ts';
import { SiteJudge, type SiteRule } from '../../url/mod.ts';
import type { Answer, AnswerBox, AnswerContext, SearcherPlace } from '../answer-box.ts';
import { answerWords } from '../messages/mod.ts';

interface AnswererOptions {
  boxes: readonly AnswerBox[];
  clock: Clock;
  log: Log;
  /** The time budget of the boxes. Default: 300 ms. */
  budgetMs?: number;
}

interface Kept {
  answer: Promise<Answer | null>;
  until: number;
}

const DEFAULT_BUDGET_MS = 300;
/**
 * A late box may continue for this many times the time budget, so that its answer is cached for the next
 * request.
 */
const PATIENCE = 10;
const MAX_KEPT = 1000;
/** The maximum length of a query. Boxes are not asked about longer queries. */
const MAX_QUERY_LENGTH = 200;

/** The data about a searcher on which answers depend. */
interface AnswerFor {
  /** The language tag of the searcher. If there are no messages in this language, English is used. */
  language?: string;
  place?: SearcherPlace | undefined;
  siteRules?: readonly SiteRule[];
  family?: FamilyLevel | undefined;
}

export class Answerer {
  readonly #options: AnswererOptions;
  readonly #budgetMs: number;
  /** The cached answers in the order of last use, the oldest first. */
  readonly #kept = BoundedCache.ofEntries<string, Kept>(MAX_KEPT);

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS;
  }

  /** Returns the answers in the order of the boxes, without answers from blocked sites. */
  async answers(query: string, who: AnswerFor = {}): Promise<Answer[]> {
    const { text, boxes, context } = this.#asked(query, who);
    const answers = await Promise.all(boxes.map((box) => this.#within(this.#ask(box, text, context))));
    const judge = new SiteJudge(who.siteRules ?? []);
    return answers
      .filter((answer) => answer !== null)
      .filter(({ source }) => !judge.blocks(hostOf(source.url)));
  }

  /**
   * Returns the answers that are computed from the query alone, at once. A query with such an answer is not
   * misspelled.
   */
  computed(query: string, language: string): Answer[] {
    const { text, boxes, context } = this.#asked(query, { language }, isComputing);
    return boxes.map((box) => this.#compute(box, text, context)).filter((answer) => answer !== null);
  }

  /** Returns true if a slower box (one that does not compute its answer on this machine) may have an answer. */
  mayKnow(query: string, language: string): boolean {
    const { boxes } = this.#asked(query, { language }, (box) => !isComputing(box));
    return boxes.length > 0 || this.wantsPlace(query);
  }

  /** Returns true if a box could answer more if it knew the location of the searcher. */
  wantsPlace(query: string): boolean {
    return this.#options.boxes.some((box) => box.wantsPlace?.(query.trim()) ?? false);
  }

  #contextFor({ language = 'en', place, siteRules = [], family }: AnswerFor): AnswerContext {
    return {
      now: this.#options.clock.now(),
      words: answerWords(language),
      ...(place && { place: coarse(place) }),
      ...(siteRules.length > 0 && { siteRules }),
      ...(family && { family }),
    };
  }

  /** Returns the boxes that match the query. There are none for an empty or too long query. */
  #asked(query: string, who: AnswerFor, isWanted: (box: AnswerBox) => boolean = () => true) {
    const text = query.trim();
    const context = this.#contextFor(who);
    const isEndless = text === '' || text.length > MAX_QUERY_LENGTH;
    const wanted = isEndless ? [] : this.#options.boxes.filter(isWanted);
    return { text, context, boxes: wanted.filter((box) => this.#matches(box, text, context)) };
  }

  #compute(box: AnswerBox, query: string, context: AnswerContext): Answer | null {
    try {
      const answer = box.answer(query, context, AbortSignal.abort());
      return answer instanceof Promise ? null : answer;
    } catch (error) {
      this.#note(box, error);
      return null;
    }
  }

  #matches(box: AnswerBox, query: string, context: AnswerContext): boolean {
    try {
      return box.matches(query, context);
    } catch (error) {
      this.#note(box, error);
      return false;
    }
  }

  #ask(box: AnswerBox, query: string, context: AnswerContext): Promise<Answer | null> {
    if (isComputing(box)) return this.#run(box, query, context);
    const key = keyOf(box, query, context);
    const kept = this.#kept.get(key);
    if (kept && kept.until > context.now) return kept.answer;
    const answer = this.#run(box, query, context, () => this.#kept.delete(key));
    this.#kept.set(key, { answer, until: context.now + box.cacheMs });
    return answer;
  }

  async #run(
    box: AnswerBox,
    query: string,
    context: AnswerContext,
    onFailure = () => {},
  ): Promise<Answer | null> {
    try {
      return await box.answer(query, context, AbortSignal.timeout(this.#budgetMs * PATIENCE));
    } catch (error) {
      onFailure();
      this.#note(box, error);
      return null;
    }
  }

  #within(answer: Promise<Answer | null>): Promise<Answer | null> {
    let timer: NodeJS.Timeout;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.#budgetMs);
    });
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  }

  #note(box: AnswerBox, error: unknown): void {
    this.#options.log.warn('answer box failed', { box: box.name, error: messageOf(error) });
  }
}

/** Returns true for a box that computes its answer at once. Such answers are not cached. */
function isComputing({ cacheMs }: AnswerBox): boolean {
  return cacheMs === 0;
}

/** Returns the cache key of an answer: everything that it may depend on, except the time. */
function keyOf(
  { name }: AnswerBox,
  query: string,
  { place, words, siteRules, family }: AnswerContext,
): string {
  const rules = siteRules?.map(({ effect, site }) => [effect, site]);
  return JSON.stringify([
    name,
    words.tag,
    query.toLowerCase(),
    place?.latitude,
    place?.longitude,
    rules,
    family,
  ]);
}

/** Returns the host of an answer's source; empty for computed answers, which have no URL. */
function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

/**
 * Rounds a location to a tenth of a degree. This is accurate enough for the weather, and reveals less about
 * where the searcher lives.
 */
function coarse({ latitude, longitude }: SearcherPlace): SearcherPlace {
  return { latitude: Math.round(latitude * 10) / 10, longitude: Math.round(longitude * 10) / 10 };
}
