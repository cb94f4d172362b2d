import type { Principal } from "#shared/caller/principal.ts";
import type { TasksEnv } from "../../env.ts";

/** Operations that may change stops. Feeds find changes by sweeps themselves, within a minute. */
const STOP_PATHS = /^\/task\/(?!form\/|schedule\/)/;

/**
 * Informs feeds of changed stops before the call is answered. A failure is ignored: feeds find the change within a
 * minute.
 */
export async function announceStopChanges(
  env: TasksEnv,
  { path }: { path: string },
  { account_id }: Principal,
): Promise<void> {
  if (STOP_PATHS.test(path)) await env.GEO.workChanged(account_id).catch(() => undefined);
}
