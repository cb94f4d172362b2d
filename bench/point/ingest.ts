import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, BASE, callerOf, registerTracker } from "../tool/account.ts";
import { type IngestPoint, newDrive } from "../tool/drive.ts";
import { compareRounds, type Figure, rounds } from "../tool/figure.ts";
import { bytesOf, load } from "../tool/load.ts";
import type { Stack } from "../tool/stack.ts";

/** A device on the road. Each call of `next` continues its drive. */
export type Device = { device_id: string; next: () => IngestPoint };

export async function newFleet(account: Account): Promise<Device[]> {
  const startMs = Math.floor(systemNow() / DAY_MS - 20) * DAY_MS;
  const devices: Device[] = [];
  for (let number = 0; number < DEVICES; number++) {
    const { device_id } = await registerTracker(account, `Van ${number}`);
    // Devices begin at different times of day: some drive while others deliver.
    devices.push({ device_id, next: newDrive(number, startMs + number * 2_700_000, 10_000) });
  }
  return devices;
}

/** Measures requests of one point each, as phones send them. */
export async function osmandFigures({ origin, behindFront, folder }: Stack, fleet: Device[]): Promise<Figure[]> {
  const constant = bytesOf({ path: "/" });
  const next = eachInTurn(fleet, ({ device_id, next }) =>
    bytesOf({ method: "GET", path: osmandPath(device_id, next()) }),
  );
  await load(origin, next, { seconds: 0.5 });
  const perSecond = await rounds({
    bare: async () => (await load(behindFront.bare, () => constant)).perSecond,
    disk: () => writesPerSecond(join(folder, "written")),
    osmand: async () => (await load(origin, next)).perSecond,
    behind: async () => (await load(behindFront.origin, next)).perSecond,
  });
  const unit = "requests/s";
  const described = { name: "/ingest/osmand, 1 point a request", unit };
  return [
    compareRounds(
      { ...described, goal: { least: 0.25 }, baseline: { name: "bare Worker, both behind miniflare's front", unit } },
      perSecond.behind,
      perSecond.bare,
    ),
    // Each answer waits for one write to the disk; the writes follow one another.
    compareRounds(
      { ...described, baseline: { name: "the disk alone", unit: "writes/s" } },
      perSecond.osmand,
      perSecond.disk,
    ),
  ];
}

/** Pages that are on the disk when the next one is written. */
function writesPerSecond(path: string): number {
  const file = openSync(path, "w");
  const page = Buffer.alloc(4096, 1);
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < 500; count++) {
    writeSync(file, page);
    fsyncSync(file);
  }
  const perSecond = (count * 1000) / (performance.now() - start);
  closeSync(file);
  return perSecond;
}

/** Batches as devices with a buffer send them, against what reading their JSON takes at least. */
export async function pointsFigure({ origin }: Stack, fleet: Device[]): Promise<Figure> {
  let bodies = writtenBatches(fleet, BATCHES);
  const send = async () => (await sendBatches(origin, bodies)).perSecond;
  // The first round lets the runtime compile the code for batches.
  await send();
  const perSecond = await rounds({
    parse() {
      bodies = writtenBatches(fleet, BATCHES);
      return parsedPerSecond(bodies.flat());
    },
    send,
  });
  await requireFresh(origin, fleet);
  const unit = "points/s";
  const baseline = { name: "JSON.parse of the same", unit };
  const described = { name: `/ingest/points, ${BATCH_POINTS} a batch`, unit, goal: { least: 0.12 }, baseline };
  return compareRounds(described, perSecond.send, perSecond.parse);
}

/** Sends batches; answers the number of accepted points, and that in a second. */
export async function sendBatches(origin: string, bodies: string[][]) {
  const requests = bodies.map((own) => own.map((body) => bytesOf({ path: `${BASE}/ingest/points`, body })));
  const next = (connection: number) => requests[connection]?.shift();
  const { count, perSecond } = await load(origin, next, { connections: CONNECTIONS, seconds: 5 });
  return { points: count * BATCH_POINTS, perSecond: perSecond * BATCH_POINTS };
}

function parsedPerSecond(texts: string[]) {
  const start = performance.now();
  for (const text of texts) JSON.parse(text);
  return (texts.length * BATCH_POINTS * 1000) / (performance.now() - start);
}

/** Batches for each connection, which has devices of its own: no batch overtakes an earlier one of its device. */
export function writtenBatches(fleet: Device[], each: number): string[][] {
  return Array.from({ length: CONNECTIONS }, (_, connection) => {
    const next = eachInTurn(fleet, ({ device_id, next }) =>
      JSON.stringify({ device_id, points: Array.from({ length: BATCH_POINTS }, next) }),
    );
    return Array.from({ length: each }, () => next(connection));
  });
}

/** Gives each connection devices of its own, and calls `make` for them one after the other. */
function eachInTurn<Item>(fleet: Device[], make: (device: Device) => Item): (connection: number) => Item {
  const turns = new Array<number>(CONNECTIONS).fill(0);
  const perConnection = fleet.length / CONNECTIONS;
  return function next(connection) {
    const turn = turns[connection] ?? 0;
    turns[connection] = (turn + 1) % perConnection;
    const device = fleet[connection * perConnection + turn];
    if (!device) throw new Error("there are fewer devices than connections");
    return make(device);
  };
}

/** Points that are there already are accepted faster: the figure would be none. */
async function requireFresh(origin: string, fleet: Device[]) {
  for (const [body] of writtenBatches(fleet, 1)) {
    const { accepted } = await callerOf(origin)("/ingest/points", JSON.parse(String(body)));
    if (accepted !== BATCH_POINTS) throw new Error(`of ${BATCH_POINTS} points ${accepted} were new`);
  }
}

function osmandPath(device_id: string, point: IngestPoint) {
  const query = new URLSearchParams({
    id: device_id,
    timestamp: String(Date.parse(point.time) / 1000),
    lat: String(point.lat),
    lon: String(point.lng),
    speed: (point.speed / KNOTS).toFixed(2),
    bearing: String(point.heading),
    altitude: String(point.alt),
    accuracy: String(18 - point.satellites),
    batt: "87",
  });
  return `${BASE}/ingest/osmand?${query}`;
}

const DEVICES = 32;
const CONNECTIONS = 16;
export const BATCH_POINTS = 500;
/** The number of batches that a connection sends in a round. */
export const BATCHES = 24;
const KNOTS = 1.852;
