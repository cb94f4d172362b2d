import { HOUR_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";

/** When a file goes that was uploaded then and that nothing has come to need. */
export function keptUntil(env: FilesEnv, uploaded: number) {
  return uploaded + lifeMs(env);
}

/** How long tickets are good for. */
export function lifeMs({ TICKET_HOURS }: FilesEnv) {
  return Number(TICKET_HOURS) * HOUR_MS;
}
