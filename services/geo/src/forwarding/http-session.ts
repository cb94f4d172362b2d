import { withTimeLimit } from "#shared/background/time-limit.ts";
import type { TargetNetwork } from "#shared/network/target-network.ts";
import type { Point } from "../point/point.ts";
import { DeliveryFailure, NoAnswer } from "./delivery-failure.ts";
import { jsonBody, osmandQuery } from "./http-body.ts";
import type { Acknowledge, ReceiverSession } from "./receiver-session.ts";

/** OsmAnd: one request for each point. */
export function osmandSession(
  network: TargetNetwork,
  receiver: URL,
  device_id: string,
  waitMs: number,
): ReceiverSession {
  return {
    maxPoints: 20,
    async deliver(points, acknowledge) {
      for (const point of points) {
        const url = new URL(receiver);
        for (const [name, value] of osmandQuery(device_id, point)) url.searchParams.append(name, value);
        await request(network, url, {}, waitMs);
        acknowledge(1);
      }
    },
    close() {},
  };
}

/** JSON batches of half the points that `/ingest/points` accepts. */
export function jsonSession(
  network: TargetNetwork,
  receiver: URL,
  device_id: string,
  { login, password }: { login: string; password: string },
  waitMs: number,
): ReceiverSession {
  const headers = {
    "Content-Type": "application/json",
    Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`,
  };
  return {
    maxPoints: 500,
    async deliver(points: Point[], acknowledge: Acknowledge) {
      await request(network, receiver, { method: "POST", headers, body: jsonBody(device_id, points) }, waitMs);
      acknowledge(points.length);
    },
    close() {},
  };
}

/** Fails on a redirection: it acknowledges nothing, and might lead to a forbidden address. */
function request(network: TargetNetwork, url: URL, init: RequestInit, waitMs: number) {
  return withTimeLimit(waitMs, async (signal) => {
    const answer = await network.fetch(url, { ...init, redirect: "manual", signal }).catch(() => {
      throw signal.aborted ? new NoAnswer() : new DeliveryFailure("the receiver cannot be reached");
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new DeliveryFailure(`the receiver answered ${answer.status}`);
  });
}
