import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";
import { type Answer, areStreamsIdle, pipelineOf, type StreamRequest, type StreamResult } from "./pipeline.ts";
import { type AcquiredStream, type Stream, StreamPool } from "./stream-pool.ts";

/** Sends a request to the database server; throws 14 when it cannot be reached. */
export type Reach = typeof fetch;
type Server = { url: string; token?: string };

/** Client over streams that stay open between calls, up to a number per isolate. */
export class StreamClient {
  readonly #streams: StreamPool;
  readonly #address: string;
  readonly #headers: Record<string, string>;

  constructor({ url, token }: Server, most: number, now: () => number = systemNow) {
    this.#streams = new StreamPool(most, now);
    this.#address = httpAddress(url);
    this.#headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  }

  /** Sends requests over one stream in one HTTP request; each has its own result. */
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
    // The server had closed the stream and executed nothing: the requests are safe to repeat on a new one.
    const told = answer ?? (await this.#send(asked, thenCloses, reach));
    if (!told || told.results.length < asked.length) throw new ApiError(14);
    return told;
  }

  /** The stream for the next call; undefined after closing one that would block other writers. */
  async #resting(asked: StreamRequest[], answer: Answer, reach: Reach): Promise<Stream | undefined> {
    if (!answer.baton) return undefined;
    const stream = { baton: answer.baton, base_url: answer.base_url ?? undefined };
    if (areStreamsIdle(asked, answer.results)) return stream;
    // The results stay valid even if closing fails.
    await this.#send([], true, reach, stream).catch(() => undefined);
    return undefined;
  }

  /** Undefined when the server has closed the stream. */
  async #send(asked: StreamRequest[], thenCloses: boolean, reach: Reach, stream?: Stream): Promise<Answer | undefined> {
    const body = pipelineOf(stream?.baton, asked, thenCloses);
    const address = `${stream?.base_url ?? this.#address}/v2/pipeline`;
    // Not a `Request`: with a signal, the runtime would copy it.
    const response = await reach(address, { method: "POST", headers: this.#headers, body });
    // After a truncated answer it is unknown what was executed.
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

/** Converts the address as the library does. */
function httpAddress(url: string): string {
  const address = new URL(url);
  const isSecure = address.protocol !== "http:" && address.searchParams.get("tls") !== "0";
  return `${isSecure ? "https" : "http"}://${address.host}${address.pathname.replace(/\/$/, "")}`;
}

/** Answers for a stream that expired, or that a restarted server does not know. */
const CLOSED = /"STREAM_EXPIRED"|^Received an invalid baton/;
