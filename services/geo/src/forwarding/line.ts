import { connect } from "cloudflare:sockets";
import { systemNow } from "#shared/time/clock.ts";
import { Failure } from "./failure.ts";

/** A TCP connection to a receiver. Whatever takes too long fails, and with it the connection. */
export class Line {
  #socket: Socket;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  /** Read, but not part of an answer yet. */
  #rest: Uint8Array = new Uint8Array();

  #waitMs: number;

  static async open(hostname: string, port: number, waitMs: number): Promise<Line> {
    const line = new Line(connect({ hostname, port }), waitMs);
    try {
      await within(waitMs, line.#socket.opened, "the receiver cannot be reached");
    } catch (thrown) {
      line.close();
      throw thrown;
    }
    return line;
  }

  private constructor(socket: Socket, waitMs: number) {
    this.#socket = socket;
    this.#waitMs = waitMs;
    // Whoever waits for something hears of it there.
    socket.closed.catch(() => undefined);
    this.#reader = socket.readable.getReader();
    this.#writer = socket.writable.getWriter();
    this.#reader.closed.catch(() => undefined);
    this.#writer.closed.catch(() => undefined);
  }

  async write(bytes: Uint8Array) {
    await within(this.#waitMs, this.#writer.write(bytes), "the line was cut");
  }

  /** The next answer, as soon as it is whole: `lengthOf` tells its length, or undefined while that is not known. */
  async read(lengthOf: (bytes: Uint8Array) => number | undefined, waitMs = this.#waitMs): Promise<Uint8Array> {
    const until = systemNow() + waitMs;
    for (;;) {
      const length = lengthOf(this.#rest);
      if (length !== undefined && length <= this.#rest.length) {
        const answer = this.#rest.subarray(0, length);
        this.#rest = this.#rest.subarray(length);
        return answer;
      }
      if (this.#rest.length > LONGEST_ANSWER) throw new Failure("the receiver talks without end");
      const { value } = await within(until - systemNow(), this.#reader.read(), "the line was cut");
      if (!value) throw new Failure("the line was cut");
      this.#rest = Buffer.concat([this.#rest, value]);
    }
  }

  /** Not waited for: a receiver that hangs would hold up whoever closes. */
  close() {
    this.#socket.close().catch(() => undefined);
  }
}

/** What the runtime calls a failure names addresses; the words here are for the receiver's owner. */
async function within<T>(ms: number, work: Promise<T>, failure: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Failure("no answer in time")), Math.max(ms, 0));
  });
  // Whichever comes second must not go unheard.
  const done = work.catch(() => {
    throw new Failure(failure);
  });
  done.catch(() => undefined);
  try {
    return await Promise.race([done, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** More than a packet of any protocol. */
const LONGEST_ANSWER = 70_000;
