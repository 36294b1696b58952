/**
 * Counts the lines of a response's head before the head is parsed. A parser calls back for every header, so
 * 16,000 headers in the 64 KiB that a socket receives at once would keep the thread busy for 20 ms or more.
 *
 * Interim responses (status 1xx) have heads of their own. Their lines are added to the lines of the final
 * response.
 */
const LINE_FEED = 10;
const INTERIM = /^HTTP\/1\.\d 1/;
const STATUS_LENGTH = 'HTTP/1.1 1'.length;

export class HeadScanner {
  #lineCount = 0;
  #lineBytes = 0;
  /** The status line of the current head while it is received; null after its end. */
  #statusLine: string | null = '';
  #isInterim = false;
  #isOver = false;

  /** True if the head of the final response has been received. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Scans received bytes and returns the number of header lines so far. */
  scan(bytes: Buffer): number {
    for (let start = 0; !this.#isOver; ) {
      const found = bytes.indexOf(LINE_FEED, start);
      const end = found < 0 ? bytes.length : found;
      if (this.#statusLine !== null && this.#statusLine.length < STATUS_LENGTH) {
        this.#statusLine += bytes.toString('latin1', start, Math.min(end, start + STATUS_LENGTH));
      }
      this.#lineBytes += end - start;
      if (found < 0) break;
      this.#endLine();
      start = end + 1;
    }
    return this.#lineCount;
  }

  #endLine(): void {
    this.#lineCount++;
    // A line with at most one byte before the line feed ends the head: the byte is a carriage return, or at least not
    // a header.
    const isBlank = this.#lineBytes <= 1;
    this.#lineBytes = 0;
    if (this.#statusLine !== null) {
      this.#isInterim = INTERIM.test(this.#statusLine);
      // Blank lines before a status line do not count, because HTTP parsers skip them.
      this.#statusLine = isBlank ? '' : null;
    } else if (isBlank) {
      this.#isOver = !this.#isInterim;
      this.#statusLine = '';
    }
  }
}
