import { waitUntil } from "cloudflare:workers";

/** Goes on with what others wait for, even where its caller has gone. */
export function keepAlive(work: Promise<unknown>) {
  waitUntil(work);
}
