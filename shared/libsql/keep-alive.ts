import { waitUntil } from "cloudflare:workers";

/** Continues work that other calls wait for after its own call has ended. */
export function keepAlive(work: Promise<unknown>) {
  waitUntil(work);
}
