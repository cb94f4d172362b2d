import { ERRORS } from "#shared/error/api-error.ts";

/** An answer as JSON; steps check the members that they need. */
// biome-ignore lint/suspicious/noExplicitAny: an installation of another version may answer anything
export type Answer = any;

const CALL_TIMEOUT_MS = 60_000;

/** Calls the API of an installation and throws a sentence about each failure. `end` cuts off calls in progress. */
export class ApiCaller {
  readonly origin: string;
  readonly #end: AbortSignal | undefined;

  constructor(origin: string, end?: AbortSignal) {
    this.origin = origin;
    this.#end = end;
  }

  /** Calls an operation with JSON; the answer must be a success. */
  call(path: string, parameters: object): Promise<Answer> {
    const headers = { "Content-Type": "application/json" };
    return this.#ask(path, this.#addressOf(path), { headers, body: JSON.stringify(parameters) });
  }

  /** Calls an operation that answers a file. */
  async callForFile(path: string, parameters: object): Promise<Uint8Array> {
    const headers = { "Content-Type": "application/json" };
    const answer = await this.#send(path, this.#addressOf(path), { headers, body: JSON.stringify(parameters) });
    if (answer.ok && !isJson(answer)) return new Uint8Array(await answer.arrayBuffer());
    throw new Error(await describeRefusal(path, answer));
  }

  /** Uploads a file for a ticket of the API. */
  upload({ url, fields, file_field_name }: Answer, file: File): Promise<Answer> {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
    body.set(file_field_name, file);
    return this.#ask("the upload", url, { body });
  }

  /** Downloads the file at an address of the API. */
  async download(url: string): Promise<Uint8Array> {
    const answer = await this.#send("the download", url, { method: "GET" });
    if (!answer.ok) throw new Error(await describeRefusal("the download", answer));
    return new Uint8Array(await answer.arrayBuffer());
  }

  #addressOf(path: string) {
    return `${this.origin}/api-v2${path}`;
  }

  async #ask(name: string, url: string, request: RequestInit): Promise<Answer> {
    const answer = await this.#send(name, url, request);
    if (!answer.ok || !isJson(answer)) throw new Error(await describeRefusal(name, answer));
    return answer.json();
  }

  async #send(name: string, url: string, request: RequestInit): Promise<Response> {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const signal = this.#end ? AbortSignal.any([timeout, this.#end]) : timeout;
    try {
      return await fetch(url, { method: "POST", redirect: "manual", signal, ...request });
    } catch (thrown) {
      throw new Error(`${name} was not answered (${reasonOf(thrown)})`);
    }
  }
}

/** The code of the API, or the HTTP status if something else answered, and the request id. No address: it may contain a token. */
async function describeRefusal(name: string, answer: Response): Promise<string> {
  const id = answer.headers.get("X-Request-Id") ?? "unknown";
  const text = await answer.text();
  const code: unknown = isJson(answer) && text.startsWith("{") ? JSON.parse(text).status?.code : undefined;
  const what = isCode(code) ? `${code} (${ERRORS[code][1]})` : `HTTP ${answer.status} without an answer of the API`;
  return `${name} answered ${what}, request id ${id}`;
}

function isCode(code: unknown): code is keyof typeof ERRORS {
  return typeof code === "number" && code in ERRORS;
}

function isJson(answer: Response) {
  return answer.headers.get("Content-Type")?.startsWith("application/json") ?? false;
}

/** `fetch` hides the reason in the cause of what it throws. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  if (cause instanceof Error && "code" in cause) return String(cause.code);
  return thrown.name === "TimeoutError" ? `no answer within ${CALL_TIMEOUT_MS / 1000} seconds` : thrown.message;
}
