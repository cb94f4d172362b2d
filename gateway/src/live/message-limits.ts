import { Buffer } from "node:buffer";
import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";
import { findHash } from "../credential/find-hash.ts";
import { genuineKeyOf, hasHashForm } from "../credential/genuine-key.ts";
import { countCall, type RateWindow } from "../credential/guard/fixed-window.ts";
import type { GatewayEnv } from "../env.ts";

/** Limits the messages of one client before they are parsed, most of all while it is a stranger without a valid hash. */
export class MessageLimits {
  readonly #env: GatewayEnv;
  #window: RateWindow | undefined;
  #refusals = 0;

  constructor(env: GatewayEnv) {
    this.#env = env;
  }

  /** The text of a message, which may be parsed. 15: too many; 9: too long; 5: no text. */
  read(message: string | ArrayBuffer): string {
    const policy = { limit: Number(this.#env.RATE_LIMIT_PER_SECOND), windowMs: 1000 };
    const { rate, window } = countCall(this.#window, policy, systemNow());
    this.#window = window;
    if (!rate.allowed) throw new ApiError(15);
    if (typeof message !== "string") throw new ApiError(5);
    if (message.length > Number(this.#env.SOCKET_MESSAGE_BYTES)) throw new ApiError(9);
    return message;
  }

  /** Refuses a stranger's message: 15 if its network sends too many; 3 or 4 if it is long and contains no genuine hash. */
  async admitStranger(text: string, network: string): Promise<void> {
    const { success } = await this.#env.ADDRESS_LIMIT.limit({ key: network });
    if (!success) throw new ApiError(15);
    if (text.length <= MAX_STRANGER_CHARS) return;
    const hash = findHash(Buffer.from(text));
    if (!hasHashForm(hash)) throw new ApiError(3);
    if (!genuineKeyOf(hash, this.#env)) throw new ApiError(4);
  }

  /** Counts a refused message of a stranger; true if the client is to be disconnected. */
  noteStrangerRefusal(): boolean {
    return ++this.#refusals >= MAX_STRANGER_REFUSALS;
  }
}

const MAX_STRANGER_CHARS = 4096;
const MAX_STRANGER_REFUSALS = 3;
