/**
 * Asks all boxes about a query, side by side, and takes what is there within the budget.
 *
 * A box that fails or is late is absent: the results of a search never wait for it, and nobody is bothered with
 * its troubles but the log. What a late box still finds is kept, so that the next who asks gets it at once.
 */
import { type Clock, type Log, messageOf } from '../base/mod.ts';
import { SiteJudge, type SiteRule } from '../query/mod.ts';
import type { Answer, AnswerBox, AnswerContext, Place } from './answer-box.ts';
import { answerWords } from './words/answer-words.ts';

export interface AnswererOptions {
  boxes: readonly AnswerBox[];
  clock: Clock;
  log: Log;
  /** How long boxes have; default 300 ms. */
  budgetMs?: number;
}

interface Kept {
  answer: Promise<Answer | null>;
  until: number;
}

const DEFAULT_BUDGET_MS = 300;
/** A box that was not in time may go on for so long, for the sake of the next who asks. */
const PATIENCE = 10;
const MAX_KEPT = 1000;
/** No answer of ours is about a longer text. */
const MAX_QUERY_LENGTH = 200;

/** Who asks. */
export interface AnswerFor {
  /** A language tag; English if there are no words in it. */
  language?: string;
  place?: Place | undefined;
  /** What they think of sites. */
  siteRules?: readonly SiteRule[];
}

export class Answerer {
  readonly #options: AnswererOptions;
  readonly #budgetMs: number;
  /** In the order of their last use, the oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS;
  }

  /** In the order of the boxes, without those that have nothing to say, or have it from a blocked site. */
  async answers(query: string, who: AnswerFor = {}): Promise<Answer[]> {
    const { text, boxes, context } = this.#asked(query, who);
    const answers = await Promise.all(boxes.map((box) => this.#within(this.#ask(box, text, context))));
    const judge = new SiteJudge(who.siteRules ?? []);
    return answers
      .filter((answer) => answer !== null)
      .filter(({ source }) => !judge.blocks(hostOf(source.url)));
  }

  /** What can be worked out here from the query alone, at once. It was meant as it is written, then. */
  computed(query: string, language: string): Answer[] {
    const { text, boxes, context } = this.#asked(query, { language }, isComputing);
    return boxes.map((box) => this.#compute(box, text, context)).filter((answer) => answer !== null);
  }

  /** Whether a box that takes its time may know more than `computed`. */
  mayKnow(query: string, language: string): boolean {
    const { boxes } = this.#asked(query, { language }, (box) => !isComputing(box));
    return boxes.length > 0 || this.wantsPlace(query);
  }

  /** Whether there would be more to say to someone who tells where they are. */
  wantsPlace(query: string): boolean {
    return this.#options.boxes.some((box) => box.wantsPlace?.(query.trim()) ?? false);
  }

  #contextFor({ language = 'en', place, siteRules = [] }: AnswerFor): AnswerContext {
    return {
      now: this.#options.clock.now(),
      words: answerWords(language),
      ...(place && { place: coarse(place) }),
      ...(siteRules.length > 0 && { siteRules }),
    };
  }

  /** The boxes to ask; none about an empty or an endless query. */
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
    this.#kept.delete(key);
    if (kept && kept.until > context.now) {
      this.#kept.set(key, kept);
      return kept.answer;
    }
    const answer = this.#run(box, query, context, () => this.#kept.delete(key));
    this.#kept.set(key, { answer, until: context.now + box.cacheMs });
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
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

/** What costs nothing to find is not kept. */
function isComputing({ cacheMs }: AnswerBox): boolean {
  return cacheMs === 0;
}

/** All that an answer may depend on, but the time. */
function keyOf({ name }: AnswerBox, query: string, { place, words, siteRules }: AnswerContext): string {
  const rules = siteRules?.map(({ effect, site }) => [effect, site]);
  return JSON.stringify([name, words.tag, query.toLowerCase(), place?.latitude, place?.longitude, rules]);
}

/** Empty for what was computed here. */
function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

/** A tenth of a degree is near enough for the weather, and says less about where someone lives. */
function coarse({ latitude, longitude }: Place): Place {
  return { latitude: Math.round(latitude * 10) / 10, longitude: Math.round(longitude * 10) / 10 };
}
