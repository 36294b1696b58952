/**
 * Wakes a waiting task when something has changed. A notification while no task waits is remembered, so that the
 * next `wait` returns at once: a change between a check and the wait after it is never missed.
 */
export class Signal {
  #isNotified = false;
  #wake: (() => void) | null = null;

  notify(): void {
    if (this.#wake) this.#wake();
    else this.#isNotified = true;
  }

  /**
   * Resolves at the next notification or after `timeoutMs`. If there was a notification since the last wait, resolves
   * at once.
   */
  wait(timeoutMs: number): Promise<void> {
    if (this.#isNotified) {
      this.#isNotified = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(wake, Math.max(0, timeoutMs));
      this.#wake = wake;
    });
  }
}
