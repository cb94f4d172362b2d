import type { Principal } from "#shared/caller/principal.ts";
import type { TasksEnv } from "../../env.ts";

/** Those that may change where trackers are expected; what the clock changes, whoever watches finds within a minute. */
const STOP_PATHS = /^\/task\/(?!form\/|schedule\/)/;

/** Before a call is answered, feeds can know its change. Where nobody hears it, it is found like a change by the clock. */
export async function announceStopChanges(
  env: TasksEnv,
  { path }: { path: string },
  { account_id }: Principal,
): Promise<void> {
  if (STOP_PATHS.test(path)) await env.GEO.workChanged(account_id).catch(() => undefined);
}
