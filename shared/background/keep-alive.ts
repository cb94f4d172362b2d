import { waitUntil } from "cloudflare:workers";

/** Continues work after its call has ended: work that other calls wait for, or a change that must be complete. */
export function keepAlive(work: Promise<unknown>) {
  waitUntil(work);
}
