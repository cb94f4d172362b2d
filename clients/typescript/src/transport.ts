import { ApiError } from "./api-error.ts";
import { backoffMs, type Pause } from "./pause.ts";
import { isRepeatable } from "./repeatable.ts";

export type CallOptions = {
  signal?: AbortSignal;
  /** 8 to 64 visible ASCII characters: a changing call with it is repeated like a reading one, and takes effect once. */
  idempotencyKey?: string;
};
export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

type Sending = { fetch: Fetch; pause: Pause; retries: number };

/** Statuses of proxies and of services that are away for a moment. */
const TEMPORARY = [502, 503, 504];
const TOO_MANY = 429;

/** Sends calls over HTTP and repeats those that may be repeated. */
export class Transport {
  readonly baseUrl: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: Fetch;
  readonly #pause: Pause;
  readonly #retries: number;

  /** `headers` are sent with each call. */
  constructor(baseUrl: string, headers: Record<string, string>, { fetch, pause, retries }: Sending) {
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    this.#headers = { "Content-Type": "application/json", ...headers };
    this.#fetch = fetch;
    this.#pause = pause;
    this.#retries = retries;
  }

  /**
   * The response of an operation, which is a success. A call above a rate (429) had no effect and is repeated; one whose
   * answer was lost, or that found a service away, is repeated if the operation only reads or the call has a key.
   */
  async ask(path: string, parameters: object, hash: string | undefined, options: CallOptions): Promise<Response> {
    const { signal, idempotencyKey } = options;
    const mayRepeat = isRepeatable(path) || idempotencyKey !== undefined;
    let mayHaveTakenEffect = false;
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt > this.#retries;
      const response = await this.#send(path, parameters, hash, options).catch((thrown) => {
        if (isLast || signal?.aborted || !mayRepeat) throw thrown;
        mayHaveTakenEffect = !isRepeatable(path);
        return undefined;
      });
      if (response && isSuccess(response)) return response;
      const isTemporary = response && TEMPORARY.includes(response.status) && mayRepeat;
      if (response && (isLast || !(isTemporary || response.status === TOO_MANY)))
        throw await refusalOf(path, response, mayHaveTakenEffect);
      if (isTemporary && !isRepeatable(path)) mayHaveTakenEffect = true;
      await this.#pause(retryAfterMs(response) ?? backoffMs(attempt), signal);
    }
  }

  #send(path: string, parameters: object, hash: string | undefined, { signal, idempotencyKey }: CallOptions) {
    const headers = {
      ...this.#headers,
      ...(hash === undefined ? {} : { Authorization: `Bearer ${hash}` }),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
    };
    const body = JSON.stringify(parameters);
    return this.#fetch(this.baseUrl + path, { method: "POST", headers, body, signal: signal ?? null });
  }
}

function isSuccess({ status }: Response) {
  return status >= 200 && status < 300;
}

function retryAfterMs(response: Response | undefined): number | undefined {
  const seconds = Number(response?.headers.get("Retry-After") || Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

export async function refusalOf(path: string, response: Response, mayHaveTakenEffect = false): Promise<ApiError> {
  const text = await response.text();
  try {
    return new ApiError(path, response, JSON.parse(text), mayHaveTakenEffect);
  } catch {
    return new ApiError(path, response, {}, mayHaveTakenEffect);
  }
}
