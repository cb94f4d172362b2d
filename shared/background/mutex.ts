/** Runs asynchronous work one after the other. A failure does not hold up the work behind it. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /** Number of works that run or wait. */
  get pending(): number {
    return this.#pending;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#pending++;
    const done = this.#last.then(work).finally(() => {
      this.#pending--;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }
}
