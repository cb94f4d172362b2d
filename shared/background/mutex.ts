/** Work that must not overlap is done one after the other; what fails holds up nothing behind it. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /** How much is under way or waits. */
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
