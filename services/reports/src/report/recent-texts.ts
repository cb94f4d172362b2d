/** Texts that were read lately, the last ones within so many characters; whoever looks here has been let in already. */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  readonly #most: number;
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key);
    if (text !== undefined) this.store(key, text);
    return text;
  }

  /** The longest unread go, until there is room. One that takes more than a quarter of it is not kept. */
  store(key: string, text: string) {
    this.#forget(key);
    if (text.length > this.#most / 4) return;
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const [oldest] of this.#texts) {
      if (this.#characters <= this.#most) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string) {
    this.#characters -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
