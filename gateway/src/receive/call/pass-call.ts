import { keepAlive } from "#shared/background/keep-alive.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Answer, ReadRequest } from "#shared/operation/declaration.ts";
import type { Turns } from "#shared/operation/run-in-turn.ts";
import { serve } from "#shared/operation/serve.ts";
import type { GatewayEnv } from "../../env.ts";
import { announceEvents } from "../../event/announce.ts";
import { operations } from "../../operations.ts";
import { throwUnavailable } from "../../unavailable.ts";
import { isExpensive } from "../turn/expensive-operations.ts";
import type { Owner } from "./routes.ts";

/** Passes a call to the Worker that owns its path; 14 if that Worker cannot be reached. */
export function passCall(owner: Owner, request: ReadRequest, principal: Principal, env: GatewayEnv): Promise<Answer> {
  if (owner === "GATEWAY") return handle(request, principal, env);
  return env[owner].handle(request, principal).catch(throwUnavailable);
}

/** The turns of the account, for one of which an expensive call waits; undefined for other calls. */
export function turnsOf(request: ReadRequest, { account_id }: Principal, env: GatewayEnv): Turns | undefined {
  if (account_id === 0 || !isExpensive(request.path, request)) return undefined;
  return env.ACCOUNT_TURNS.getByName(String(account_id));
}

const handle = serve(operations, {
  worker: "gateway",
  // `AuditLog` announces changes of services.
  afterChange(env: GatewayEnv, _operation, { account_id }) {
    if (account_id !== 0) keepAlive(announceEvents(env, [account_id]));
  },
});
