import { connect } from "cloudflare:sockets";
import { systemNow } from "#shared/time/clock.ts";
import { DeliveryFailure } from "./delivery-failure.ts";

/** A TCP connection to a receiver. Whatever takes too long fails, and with it the connection. */
export class TcpConnection {
  #socket: Socket;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  /** Read, but not part of an answer yet. */
  #rest: Uint8Array = new Uint8Array();

  #waitMs: number;

  static async open(hostname: string, port: number, waitMs: number): Promise<TcpConnection> {
    const connection = new TcpConnection(connect({ hostname, port }), waitMs);
    try {
      await withTimeout(waitMs, connection.#socket.opened, "the receiver cannot be reached");
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
    return connection;
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
    await withTimeout(this.#waitMs, this.#writer.write(bytes), "the line was cut");
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
      if (this.#rest.length > MAX_ANSWER_BYTES) throw new DeliveryFailure("the receiver talks without end");
      const { value } = await withTimeout(until - systemNow(), this.#reader.read(), "the line was cut");
      if (!value) throw new DeliveryFailure("the line was cut");
      this.#rest = Buffer.concat([this.#rest, value]);
    }
  }

  /** Not waited for: a receiver that hangs would hold up whoever closes. */
  close() {
    this.#socket.close().catch(() => undefined);
  }
}

/** What the runtime calls a failure names addresses; the words here are for the receiver's owner. */
async function withTimeout<T>(ms: number, work: Promise<T>, failure: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeliveryFailure("no answer in time")), Math.max(ms, 0));
  });
  // Whichever comes second must not go unheard.
  const done = work.catch(() => {
    throw new DeliveryFailure(failure);
  });
  done.catch(() => undefined);
  try {
    return await Promise.race([done, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** More than a packet of any protocol. */
const MAX_ANSWER_BYTES = 70_000;
