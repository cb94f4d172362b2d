import { setTimeout as pause } from "node:timers/promises";
import { systemNow } from "../shared/time/clock.ts";
import type { Account } from "./tool/account.ts";
import { BASE, registerTracker } from "./tool/account.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import { connectAll, startEcho, statesIn } from "./tool/socket-clients.ts";
import type { Stack } from "./tool/stack.ts";

/** States of many trackers to many sockets, against the same frames that a bare object of the same runtime sends. */
export async function socketFigures({ origin }: Stack, account: Account): Promise<Figure[]> {
  const ids: number[] = [];
  const devices: string[] = [];
  for (let number = 0; number < TRACKERS; number++) {
    const { id, device_id } = await registerTracker(account, `Van ${number}`);
    ids.push(id);
    devices.push(device_id);
  }
  const { hash } = account;
  const target = { type: "selected", tracker_ids: ids };
  const request = { type: "state_batch", target, rate_limit: "0s", format: "compact" };
  const greeting = JSON.stringify({ action: "subscribe", hash, requests: [request] });
  const clients = await connectAll(`${origin}${BASE}/event/subscription`, SOCKETS, greeting, '"event":"state_batch"');
  const echo = await startEcho();
  const echoing = await connectAll(echo.url, SOCKETS, "hello", "hello");
  let lat = 10;
  try {
    const perSecond = await rounds({
      bare: async () => {
        const frame = clients.longest();
        return echoing.measure(() => echoing.send(frame), SOCKETS * statesIn(frame));
      },
      states: async () => {
        lat += 0.001;
        await pause(PACE_MS);
        const points = devices.map((device_id) => pointOf(device_id, lat));
        const report = () => load(origin, (connection) => points[connection]?.shift(), { connections: TRACKERS });
        return clients.measure(report, SOCKETS * TRACKERS);
      },
    });
    const unit = "states/s";
    return [
      compareRounds(
        {
          name: `states of ${TRACKERS} trackers to ${SOCKETS} sockets, from the last point acknowledged`,
          unit,
          goal: { least: 0.3 },
          baseline: { name: "the same bytes from one bare object", unit },
        },
        perSecond.states,
        perSecond.bare,
      ),
    ];
  } finally {
    clients.close();
    echoing.close();
    await echo.stop();
  }
}

/** The one request of a connection. */
function pointOf(device_id: string, lat: number) {
  const body = JSON.stringify({ device_id, points: [{ time: systemNow(), lat, lng: 10, speed: 0 }] });
  return [bytesOf({ path: `${BASE}/ingest/points`, body })];
}

/** A tracker's state is sent at most once a second: the measured updates are further apart. */
const PACE_MS = 1200;
const SOCKETS = 100;
const TRACKERS = 100;
