import { HOUR_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";

/** Until when an uploaded file is kept that nothing refers to, in UTC ms. */
export function computeKeptUntil(env: FilesEnv, uploaded: number) {
  return uploaded + ticketLifeMs(env);
}

/** How long tickets are valid, in ms. */
export function ticketLifeMs({ TICKET_HOURS }: FilesEnv) {
  return Number(TICKET_HOURS) * HOUR_MS;
}
