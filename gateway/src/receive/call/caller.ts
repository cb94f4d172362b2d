import { nobody, type Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { networkOf } from "../../network.ts";
import type { BodyCaller } from "../body/body-caller.ts";
import type { BodySender } from "../body/memory-budget.ts";
import { admit } from "./admit.ts";
import { addressOf, type GatewayCall } from "./gateway-call.ts";

export class Caller implements BodyCaller {
  readonly #call: GatewayCall;
  #admitted: { hash: unknown; principal: Principal } | undefined;

  constructor(call: GatewayCall) {
    this.#call = call;
  }

  get isKnown(): boolean {
    return this.#principal.kind !== "nobody";
  }

  get sender(): BodySender {
    if (this.isKnown) return { kind: "user", name: String(this.#principal.account_id) };
    return { kind: "stranger", name: networkOf(addressOf(this.#call)) };
  }

  /** Counts each hash once. A later hash replaces an earlier one: the body's wins. */
  async admit(hash: unknown): Promise<Principal> {
    if (this.#admitted && this.#admitted.hash === hash) return this.#admitted.principal;
    return this.#count(hash);
  }

  /** Counts a further call of the same caller: one request of an agent may make several. */
  async admitAgain(): Promise<Principal> {
    return this.#count(this.#admitted?.hash);
  }

  async #count(hash: unknown): Promise<Principal> {
    const { principal, rate, allowed } = await admit(hash, networkOf(addressOf(this.#call)), this.#call.env);
    this.#admitted = { hash, principal };
    this.#call.set("rate", rate);
    if (!allowed) throw new ApiError(15);
    return principal;
  }

  requireKnown() {
    if (!this.isKnown) throw new ApiError(this.#principal.credential === "ended" ? 4 : 3);
  }

  get #principal(): Principal {
    return this.#admitted?.principal ?? nobody("none");
  }
}
