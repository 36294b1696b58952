/** What a request can do wrong. Rendered as problem+json or as a page, by path; see error-replies.ts. */
import { GyreError } from '../base/mod.ts';
import { ENGLISH, type MessageKey } from './words/words.ts';

/** What was wrong, as a message of the pages: each says it in the language of who asked. */
export interface Detail {
  key: MessageKey;
  values: Readonly<Record<string, string | number>>;
}

/** The message is shown to whoever asked: it says what was wrong and what would be right. */
export class RequestProblem extends GyreError {
  readonly status: number;
  /** Null for what only programs meet: it is said in English alone. */
  readonly detail: Detail | null;

  constructor(status: number, code: string, message: string, detail: Detail | null = null) {
    super(code, message);
    this.status = status;
    this.detail = detail;
  }
}

/** A problem that people meet; programs get it in English. */
export function problemInWords(
  status: number,
  code: string,
  key: MessageKey,
  values: Detail['values'] = {},
): RequestProblem {
  return new RequestProblem(status, code, ENGLISH.text(key, values), { key, values });
}
