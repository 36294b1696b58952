/**
 * Errors that a request can cause. error-replies.ts renders them as problem+json or as a page, depending on
 * the path.
 */
import { GyreError } from '../base/mod.ts';
import { ENGLISH_MESSAGES, type MessageKey } from './messages/mod.ts';

/** A UI message that describes the problem; the page renders it in the searcher's language. */
export interface Detail {
  key: MessageKey;
  values: Readonly<Record<string, string | number>>;
}

/**
 * A problem with a request. Its message is shown to the client and says what was wrong and what would be
 * right.
 */
export class RequestProblem extends GyreError {
  readonly status: number;
  /** The translated message. Null for a problem that only programs see, which has only an English text. */
  readonly detail: Detail | null;

  constructor(status: number, code: string, message: string, detail: Detail | null = null) {
    super(code, message);
    this.status = status;
    this.detail = detail;
  }
}

/** Creates a problem with a translated message for pages. Programs receive the English text. */
export function problemInWords(
  status: number,
  code: string,
  key: MessageKey,
  values: Detail['values'] = {},
): RequestProblem {
  return new RequestProblem(status, code, ENGLISH_MESSAGES.text(key, values), { key, values });
}
