import { ApiError } from "./api-error.ts";
import { type LiveMessage, type LiveOptions, type LiveRequest, readLive } from "./live.ts";
import type { CallArguments, CallPath, FilePath, Item, PagePath, Parameters, Reply } from "./operation-types.ts";
import { type Pause, pause } from "./pause.ts";
import { type Credentials, Session } from "./session.ts";
import { type CallOptions, type Fetch, Transport } from "./transport.ts";
import { type Ticket, type Uploaded, uploadFile } from "./upload.ts";

export type ClientOptions = {
  /** The address of the API, such as `https://fleet.example.com/api-v2`. */
  baseUrl: string;
  /** Left out for operations that need none. */
  credentials?: Credentials;
  /** Dates as ISO 8601 with an offset, in both directions; true unless given. Else as the user's local time. */
  iso_datetime?: boolean;
  /** How often a call is repeated at most; 4 unless given. */
  retries?: number;
  /** Instead of the global `fetch`. */
  fetch?: Fetch;
  /** Instead of a timer. */
  pause?: Pause;
};

/** No hash, or one that has ended. */
const UNKNOWN_CALLER = [3, 4];
const PAGE_SIZE = 500;
const REPORT_PAUSE_MS = 1000;

/** Calls the API of an installation as one user. */
export class FleetClient {
  readonly #transport: Transport;
  readonly #session: Session | undefined;
  readonly #fetch: Fetch;
  readonly #pause: Pause;

  constructor({ baseUrl, credentials, iso_datetime = true, retries = 4, ...injected }: ClientOptions) {
    this.#fetch = injected.fetch ?? ((url, request) => fetch(url, request));
    this.#pause = injected.pause ?? pause;
    const sending = { fetch: this.#fetch, pause: this.#pause, retries };
    this.#transport = new Transport(baseUrl, iso_datetime ? { "FMS-ISO-DateTime": "true" } : {}, sending);
    const signIn = async (login: string, password: string) => {
      const response = await this.#transport.ask("/user/auth", { login, password }, undefined, {});
      return (await jsonOf<{ hash: string }>(response)).hash;
    };
    this.#session = credentials && new Session(credentials, signIn);
  }

  /**
   * Calls an operation and answers its reply. Throws an `ApiError` for a refusal. After 3 or 4 it signs in again, once;
   * calls above a rate wait, and calls that read or have an `idempotencyKey` are repeated when their answer was lost.
   */
  async call<Path extends CallPath>(path: Path, ...given: CallArguments<Path, CallOptions>): Promise<Reply<Path>> {
    const [parameters = {}, options = {}] = given;
    const response = await this.#ask(path, parameters, options);
    const { success: _, ...reply } = await jsonOf<Reply<Path> & { success: true }>(response);
    return reply as Reply<Path>; // the same members without one
  }

  /** Calls an operation that answers a file, such as a report; the body of the response is the file. */
  file<Path extends FilePath>(path: Path, ...given: CallArguments<Path, CallOptions>): Promise<Response> {
    const [parameters = {}, options = {}] = given;
    return this.#ask(path, parameters, options);
  }

  /**
   * Every item of a list, page by page: `limit` of the parameters is the size of a page. Items that are added or deleted
   * meanwhile may be missing or come twice.
   */
  async *each<Path extends PagePath>(
    path: Path,
    ...given: CallArguments<Path, CallOptions>
  ): AsyncGenerator<Item<Path>> {
    const [parameters = {}, options = {}] = given;
    const limit = "limit" in parameters && parameters.limit ? Number(parameters.limit) : PAGE_SIZE;
    let offset = "offset" in parameters && parameters.offset ? Number(parameters.offset) : 0;
    for (;;) {
      const response = await this.#ask(path, { ...parameters, limit, offset }, options);
      const { list } = await jsonOf<{ list: Item<Path>[] }>(response);
      yield* list;
      if (list.length < limit) return;
      offset += list.length;
    }
  }

  /** Orders a report, waits until it is ready, and answers it. */
  async report(
    parameters: Parameters<"/report/tracker/generate">,
    options: CallOptions = {},
  ): Promise<Reply<"/report/tracker/retrieve">> {
    const { id: report_id } = await this.call("/report/tracker/generate", parameters, options);
    for (;;) {
      const { percent_ready } = await this.call("/report/tracker/status", { report_id }, options);
      if (percent_ready === 100) return this.call("/report/tracker/retrieve", { report_id }, options);
      await this.#pause(REPORT_PAUSE_MS, options.signal);
    }
  }

  /**
   * Uploads a file for a ticket that was made for exactly its size, such as that of `/checkin/image/create`. An upload that
   * breaks off goes on where it stopped.
   */
  upload(ticket: Ticket, file: Blob, options: CallOptions = {}): Promise<Uploaded> {
    return uploadFile(ticket, file, { fetch: this.#fetch, pause: this.#pause, ...options });
  }

  /**
   * The messages of a subscription to live states, until the signal aborts or the loop is left. After an interruption it
   * connects and subscribes again: the first messages then are all states.
   */
  live(requests: LiveRequest[], options: AbortSignal | LiveOptions = {}): AsyncGenerator<LiveMessage> {
    const url = `${this.#transport.baseUrl.replace(/^http/, "ws")}/event/subscription`;
    const session = this.#session;
    if (!session) throw new TypeError("A subscription needs credentials.");
    return readLive({
      ...{ url, session, requests, pause: this.#pause },
      ...(options instanceof AbortSignal ? { signal: options } : options),
    });
  }

  async #ask(path: string, parameters: object, options: CallOptions): Promise<Response> {
    const hash = await this.#session?.hash();
    try {
      return await this.#transport.ask(path, parameters, hash, options);
    } catch (thrown) {
      // Keys belong to a hash: with another one, a call that has taken effect would do so again.
      const isUnknown =
        thrown instanceof ApiError && UNKNOWN_CALLER.includes(thrown.code) && !thrown.mayHaveTakenEffect;
      if (!isUnknown || hash === undefined || !(await this.#session?.renew(hash))) throw thrown;
      return this.#transport.ask(path, parameters, await this.#session?.hash(), options);
    }
  }
}

/** The body of a success, which is what the description of the API says. */
async function jsonOf<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}
