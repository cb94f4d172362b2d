import type { Answer } from "./api-caller.ts";

const MESSAGE_TIMEOUT_MS = 30_000;
type IsExpected = (message: Answer) => boolean;
type Waiting = { isExpected: IsExpected; resolve(): void; reject(failure: Error): void };

/** A WebSocket of the API that receives the states of all trackers. */
export class StateSocket {
  readonly #socket: WebSocket;
  readonly #received: Answer[] = [];
  #waiting: Waiting | undefined;
  #failure: Error | undefined;

  constructor(origin: string, hash: string) {
    this.#socket = new WebSocket(`${origin.replace(/^http/, "ws")}/api-v2/event/subscription`);
    const requests = [{ type: "state_batch", target: { type: "all" }, format: "compact" }];
    this.#socket.addEventListener("open", () => {
      this.#socket.send(JSON.stringify({ action: "subscribe", hash, requests }));
    });
    this.#socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    this.#socket.addEventListener("error", () => this.#fail("the connection was refused or broke off"));
    this.#socket.addEventListener("close", ({ code }) => this.#fail(`the connection was closed with code ${code}`));
  }

  /** Resolves once a message has come that is as expected, also one that came before. */
  async waitFor(isExpected: IsExpected): Promise<void> {
    if (this.#received.some(isExpected)) return;
    if (this.#failure) throw this.#failure;
    const timer = setTimeout(
      () => this.#fail(`no such message came within ${MESSAGE_TIMEOUT_MS / 1000} seconds`),
      MESSAGE_TIMEOUT_MS,
    );
    const message = new Promise<void>((resolve, reject) => {
      this.#waiting = { isExpected, resolve, reject };
    });
    await message.finally(() => clearTimeout(timer));
  }

  /** Ends the connection, and the wait for a message. */
  close() {
    this.#fail("the connection was closed");
    this.#socket.close();
  }

  /** Frames that are no JSON are the handshake and heartbeats. */
  #receive(text: string) {
    if (!text.startsWith("{")) return;
    const message = JSON.parse(text);
    if (message.type === "error") this.#fail(`the subscription was answered with code ${message.status?.code}`);
    this.#received.push(message);
    if (this.#waiting?.isExpected(message)) this.#waiting.resolve();
  }

  #fail(reason: string) {
    this.#failure ??= new Error(`/event/subscription failed: ${reason}`);
    this.#waiting?.reject(this.#failure);
  }
}
