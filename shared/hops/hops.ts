import { AsyncLocalStorage } from "node:async_hooks";

/** A call that is being served: its sequential waits for other parts of the system, and its id until its answer. */
type ServedCall = { count: number; underWay: number; request_id: string | undefined };

/**
 * Runs the work and counts its sequential waits; parallel waits count once. Operators read the count as
 * `fleet_call_hops_total`: only it shows how far a call's duration depends on the distance of databases.
 */
export async function countHops<Result>(
  work: () => Promise<Result>,
  request_id?: string,
): Promise<{ result: Result; hops: number }> {
  const call: ServedCall = { count: 0, underWay: 0, request_id };
  try {
    const result = await served.run(call, work);
    return { result, hops: call.count };
  } finally {
    // Work that goes on after the answer is part of no call.
    call.request_id = undefined;
  }
}

/** The id of the call that the running code serves; undefined after its answer and in crons. */
export function servedRequestId(): string | undefined {
  return served.getStore()?.request_id || undefined;
}

/** Waits for another part of the system: a database, a bucket, a Worker or a Durable Object. */
export async function hop<Result>(wait: () => Promise<Result>): Promise<Result> {
  const call = served.getStore();
  if (!call) return wait();
  if (call.underWay === 0) call.count++;
  call.underWay++;
  try {
    return await wait();
  } finally {
    call.underWay--;
  }
}

const served = new AsyncLocalStorage<ServedCall>();
