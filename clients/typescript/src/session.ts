/** The login and password of a user, or the hash of a session or an API key. */
export type Credentials = { login: string; password: string } | { hash: string };

/** The hash of the current session. One sign-in serves all calls that wait for it. */
export class Session {
  readonly #credentials: Credentials;
  readonly #signIn: (login: string, password: string) => Promise<string>;
  #hash: Promise<string> | undefined;

  constructor(credentials: Credentials, signIn: (login: string, password: string) => Promise<string>) {
    this.#credentials = credentials;
    this.#signIn = signIn;
  }

  /** The hash to call with; signs in for the first call. */
  hash(): Promise<string> {
    if ("hash" in this.#credentials) return Promise.resolve(this.#credentials.hash);
    const { login, password } = this.#credentials;
    if (!this.#hash) {
      const hash = this.#signIn(login, password);
      this.#hash = hash;
      // The next call tries again.
      hash.catch(() => this.#forget(hash));
    }
    return this.#hash;
  }

  /** Whether a call that was refused with this hash may be repeated with another one. */
  async renew(refused: string): Promise<boolean> {
    if ("hash" in this.#credentials) return false;
    // Another call may have signed in meanwhile: then its hash is used.
    const current = this.#hash;
    if (current && (await current.catch(() => refused)) === refused) this.#forget(current);
    return true;
  }

  #forget(hash: Promise<string>) {
    if (this.#hash === hash) this.#hash = undefined;
  }
}
