/** Work that must not overlap is done one after the other; what fails holds up nothing behind it. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** How much is under way or waits. */
  get waiting(): number {
    return this.#waiting;
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const done = this.#last.then(work).finally(() => {
      this.#waiting--;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }
}
