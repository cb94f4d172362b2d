/** A cache of recently read texts, bounded by characters. Callers must have checked the right to read a text. */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key);
    if (text !== undefined) this.store(key, text);
    return text;
  }

  /** Evicts the least recently read texts. A text that takes more than a quarter of the cache is not stored. */
  store(key: string, text: string) {
    this.#forget(key);
    if (text.length > this.#maxCharacters / 4) return;
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const [oldest] of this.#texts) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string) {
    this.#characters -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
