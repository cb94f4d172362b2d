import { Slots } from "../background/slots.ts";
import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";
import { isStreamIdle, type PipelineAnswer, pipelineOf, type StreamRequest, type StreamResult } from "./pipeline.ts";

/** `fetch` that throws 14 when the database server cannot be reached. */
export type Fetch = typeof fetch;
type Server = { url: string; token?: string };
/**
 * A connection of the database server, which takes longer to open than most statements to run. The baton of its last
 * answer continues it.
 */
type Stream = { baton: string; base_url?: string };

/**
 * Client over streams that stay open between calls, up to a number per isolate. Calls share only text and numbers:
 * promises and sockets of one call are useless to another.
 */
export class StreamClient {
  /** The stream used last is at the end. */
  #idle: { stream: Stream; since: number }[] = [];
  readonly #slots: Slots;
  readonly #address: string;
  readonly #headers: Record<string, string>;
  readonly #now: () => number;

  constructor({ url, token }: Server, most: number, now: () => number = systemNow) {
    this.#slots = new Slots(most, LAPSE_MS, now);
    this.#address = httpAddress(url);
    this.#headers = {
      "Content-Type": "application/json",
      // Cloudflare asks for Brotli by itself, which takes the server ten times as long as most statements.
      "Accept-Encoding": "identity",
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    this.#now = now;
  }

  /** Sends requests over one stream in one HTTP request; each has its own result. */
  async ask(requests: StreamRequest[], fetch: Fetch): Promise<StreamResult[]> {
    this.#idle = this.#idle.filter(({ since }) => since > this.#now() - IDLE_MS);
    const idle = this.#idle.pop()?.stream;
    // Without a slot the stream is closed with the request.
    if (this.#slots.areFull(this.#idle.length)) return (await this.#ask(requests, true, fetch)).results;
    const slot = this.#slots.take();
    let next: Stream | undefined;
    try {
      const answer = await this.#ask(requests, false, fetch, idle);
      next = await this.#streamAfter(requests, answer, fetch);
      return answer.results;
    } finally {
      // The slot of a call that took too long may belong to another call by now.
      if (this.#slots.free(slot) && next) this.#idle.push({ stream: next, since: this.#now() });
    }
  }

  async #ask(requests: StreamRequest[], closes: boolean, fetch: Fetch, kept?: Stream): Promise<PipelineAnswer> {
    const answer = kept && (await this.#send(requests, closes, fetch, kept));
    // The server had closed the stream and executed nothing: the requests are safe to repeat on a new one.
    const whole = answer ?? (await this.#send(requests, closes, fetch));
    if (!whole || whole.results.length < requests.length) throw new ApiError(14);
    return whole;
  }

  /** The stream for the next call; undefined after closing one that would block other writers. */
  async #streamAfter(requests: StreamRequest[], answer: PipelineAnswer, fetch: Fetch): Promise<Stream | undefined> {
    if (!answer.baton) return undefined;
    const stream = { baton: answer.baton, base_url: answer.base_url ?? undefined };
    if (isStreamIdle(requests, answer.results)) return stream;
    // The results stay valid even if closing fails.
    await this.#send([], true, fetch, stream).catch(() => undefined);
    return undefined;
  }

  /** Undefined when the server has closed the stream. */
  async #send(
    requests: StreamRequest[],
    closes: boolean,
    fetch: Fetch,
    stream?: Stream,
  ): Promise<PipelineAnswer | undefined> {
    const body = pipelineOf(stream?.baton, requests, closes);
    const address = `${stream?.base_url ?? this.#address}/v2/pipeline`;
    // Not a `Request`: with a signal, the runtime would copy it.
    const response = await fetch(address, { method: "POST", headers: this.#headers, body });
    // After a truncated answer it is unknown what was executed.
    const text = await response.text().catch(() => {
      throw new ApiError(14);
    });
    if (response.ok) return readAnswer(text);
    if (stream && CLOSED.test(text)) return undefined;
    throw new Error(`the database answered HTTP ${response.status}`);
  }
}

function readAnswer(text: string): PipelineAnswer {
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
/** The server closes streams after ten idle seconds. */
const IDLE_MS = 8_000;
/** Longer than a statement's time limit and the server's ten seconds behind it. */
const LAPSE_MS = 30_000;
