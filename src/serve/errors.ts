/** What a request can do wrong. Rendered as problem+json or as a page, by path; see error-replies.ts. */
import { GyreError } from '../base/mod.ts';

/** The message is shown to whoever asked: it says what was wrong and what would be right. */
export class RequestProblem extends GyreError {
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(code, message);
    this.status = status;
  }
}
