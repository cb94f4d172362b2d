import { HOUR_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";

/** When a file goes that was uploaded then and that nothing has come to need. */
export function computeKeptUntil(env: FilesEnv, uploaded: number) {
  return uploaded + ticketLifeMs(env);
}

/** How long tickets are good for. */
export function ticketLifeMs({ TICKET_HOURS }: FilesEnv) {
  return Number(TICKET_HOURS) * HOUR_MS;
}
