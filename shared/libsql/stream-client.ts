import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";
import { type Answer, areStreamsIdle, pipelineOf, type StreamRequest, type StreamResult } from "./pipeline.ts";
import { type AcquiredStream, type Stream, StreamPool } from "./stream-pool.ts";

/** Sends a request to the database; fails as 14 where that cannot be reached. */
export type Reach = typeof fetch;
type Server = { url: string; token?: string };

/** Asks the database over streams that stay open from one call to the next, as many as an isolate may keep. */
export class StreamClient {
  readonly #streams: StreamPool;
  readonly #address: string;
  readonly #headers: Record<string, string>;

  constructor({ url, token }: Server, most: number, now: () => number = systemNow) {
    this.#streams = new StreamPool(most, now);
    this.#address = httpAddress(url);
    this.#headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  }

  /** One after the other over one stream, in one trip; each is answered for itself. */
  async ask(asked: StreamRequest[], reach: Reach): Promise<StreamResult[]> {
    const taken = this.#streams.acquire();
    let next: Stream | undefined;
    try {
      const answer = await this.#answerTo(asked, taken, reach);
      if (taken.place !== undefined) next = await this.#resting(asked, answer, reach);
      return answer.results;
    } finally {
      this.#streams.release(taken, next);
    }
  }

  async #answerTo(asked: StreamRequest[], { stream, place }: AcquiredStream, reach: Reach): Promise<Answer> {
    const thenCloses = place === undefined;
    const answer = stream && (await this.#send(asked, thenCloses, reach, stream));
    // A stream that the server has closed: it read nothing of what was asked, so that a new one may be asked the same.
    const told = answer ?? (await this.#send(asked, thenCloses, reach));
    if (!told || told.results.length < asked.length) throw new ApiError(14);
    return told;
  }

  /** The stream as the next call may use it; one that would keep others waiting is closed. */
  async #resting(asked: StreamRequest[], answer: Answer, reach: Reach): Promise<Stream | undefined> {
    if (!answer.baton) return undefined;
    const stream = { baton: answer.baton, base_url: answer.base_url ?? undefined };
    if (areStreamsIdle(asked, answer.results)) return stream;
    // What was answered stays so, however this ends.
    await this.#send([], true, reach, stream).catch(() => undefined);
    return undefined;
  }

  /** Undefined where the stream is closed. */
  async #send(asked: StreamRequest[], thenCloses: boolean, reach: Reach, stream?: Stream): Promise<Answer | undefined> {
    const body = pipelineOf(stream?.baton, asked, thenCloses);
    const address = `${stream?.base_url ?? this.#address}/v2/pipeline`;
    // Not as a `Request`: with the signal, the runtime would make another one of it.
    const response = await reach(address, { method: "POST", headers: this.#headers, body });
    // An answer that breaks off tells nothing of what was done.
    const text = await response.text().catch(() => {
      throw new ApiError(14);
    });
    if (response.ok) return readAnswer(text);
    if (stream && CLOSED.test(text)) return undefined;
    throw new Error(`the database answered HTTP ${response.status}`);
  }
}

function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(14);
  }
}

/** As the library reads the address of a database. */
function httpAddress(url: string): string {
  const address = new URL(url);
  const isSecure = address.protocol !== "http:" && address.searchParams.get("tls") !== "0";
  return `${isSecure ? "https" : "http"}://${address.host}${address.pathname.replace(/\/$/, "")}`;
}

/** What the server answers of a stream that nobody used for a while, or that it does not know: it was restarted. */
const CLOSED = /"STREAM_EXPIRED"|^Received an invalid baton/;
