import type { TargetNetwork } from "#shared/network/target-network.ts";
import { systemNow } from "#shared/time/clock.ts";
import { DeliveryFailure, NoAnswer } from "./delivery-failure.ts";

type TcpAddress = { hostname: string; port: number };

/** A TCP connection to a receiver. Every step has a time limit; the connection is unusable after a failure. */
export class TcpConnection {
  #socket: Socket;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  /** Bytes that were read after the last whole answer. */
  #rest: Uint8Array = new Uint8Array();

  #waitMs: number;

  static async open(network: TargetNetwork, { hostname, port }: TcpAddress, waitMs: number): Promise<TcpConnection> {
    const connection = new TcpConnection(network.connect({ hostname, port }), waitMs);
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
    // Reads and writes report the failure themselves.
    socket.closed.catch(() => undefined);
    this.#reader = socket.readable.getReader();
    this.#writer = socket.writable.getWriter();
    this.#reader.closed.catch(() => undefined);
    this.#writer.closed.catch(() => undefined);
  }

  async write(bytes: Uint8Array) {
    await withTimeout(this.#waitMs, this.#writer.write(bytes), "the line was cut");
  }

  /** The next whole answer. `lengthOf` computes its length, undefined while too few bytes are there. */
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

  /** Not awaited: a receiver that hangs must not delay the caller. */
  close() {
    this.#socket.close().catch(() => undefined);
  }
}

/** Fails with a text for the receiver's owner: errors of the runtime name addresses. */
async function withTimeout<T>(ms: number, work: Promise<T>, failure: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), Math.max(ms, 0));
  });
  // The loser of the race must not become an unhandled rejection.
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

/** Longer than a packet of any protocol. */
const MAX_ANSWER_BYTES = 70_000;
