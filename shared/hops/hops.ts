import { AsyncLocalStorage } from "node:async_hooks";

/** Number of sequential waits of a call for other parts of the system. */
type Hops = { count: number; underWay: number };

/**
 * Runs the work and counts its sequential waits; parallel waits count once. Operators read the count as
 * `fleet_call_hops_total`: only it shows how far a call's duration depends on the distance of databases.
 */
export async function countHops<Result>(work: () => Promise<Result>): Promise<{ result: Result; hops: number }> {
  const hops: Hops = { count: 0, underWay: 0 };
  const result = await ofCall.run(hops, work);
  return { result, hops: hops.count };
}

/** Waits for another part of the system: a database, a bucket, a Worker or a Durable Object. */
export async function hop<Result>(wait: () => Promise<Result>): Promise<Result> {
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
