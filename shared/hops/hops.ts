import { AsyncLocalStorage } from "node:async_hooks";

/** How often a call has waited for what is elsewhere, one after the other. */
type Hops = { count: number; underWay: number };

/** What the work answers, and for how many hops it has waited one after the other: what goes side by side is one. */
export async function countHops<Found>(work: () => Promise<Found>): Promise<{ found: Found; hops: number }> {
  const hops: Hops = { count: 0, underWay: 0 };
  const found = await ofCall.run(hops, work);
  return { found, hops: hops.count };
}

/** Waits for what is elsewhere: a database, a bucket, another Worker or a Durable Object. */
export async function hop<Found>(wait: () => Promise<Found>): Promise<Found> {
  const hops = ofCall.getStore();
  if (!hops) return wait();
  if (hops.underWay === 0) hops.count++;
  hops.underWay++;
  try {
    return await wait();
  } finally {
    hops.underWay--;
  }
}

const ofCall = new AsyncLocalStorage<Hops>();
