/** The change feed, as programs read it: pages that were added, changed or removed, since a cursor. */
import type { TypedRecord } from '../../page/mod.ts';

/** A change of a page at the time `at`. */
export type ChangeEvent =
  | {
      type: 'added' | 'changed';
      url: string;
      at: string;
      title: string;
      language: string;
      contentType: string;
      /** The SHA-1 of the body in base 32. */
      digest: string;
      publishedAt?: string;
      modifiedAt?: string;
      collections?: readonly string[];
      /** The typed records of the page, if the reader wants them. */
      records?: TypedRecord[];
    }
  | {
      type: 'removed';
      /** The page; absent if `target` names several. */
      url?: string;
      /** The pages that the operator has removed together, as `gyre remove` takes them. */
      target?: string;
      at: string;
      /** The reason why the page is gone: `gone`, `redirect`, `operator` and so on. */
      reason: string;
      /** The page of which the URL is an alias now. */
      of?: string;
    };

export interface ChangeRequest {
  /** The cursor of an earlier batch or event; null for everything, `now` for nothing but a cursor. */
  cursor: string | null;
  /** The maximum number of events. A batch may have a few more, because some removals come together. */
  limit: number;
  /** True to get the typed records of the pages, too. */
  hasRecords: boolean;
}

export interface ChangeBatch {
  /** The events in order, each with the cursor after it. */
  events: { cursor: string; event: ChangeEvent }[];
  /** The cursor after the batch. */
  cursor: string;
  /** True if there is more to read after the batch. */
  more: boolean;
  /** The cursor after everything, when the batch was read. */
  tip: string;
}

export interface ChangeFeed {
  /** Reads a batch, which may be empty. Rejects with a UsageError if the cursor is not valid. */
  read(request: ChangeRequest): Promise<ChangeBatch>;
  /** Returns the cursor after everything. */
  tip(): Promise<string>;
}
