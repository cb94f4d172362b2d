import { SECOND_MS } from "#shared/time/duration.ts";
import type { FleetClient } from "../../../clients/typescript/src/client.ts";
import { findOrCreate } from "../client.ts";
import { startOfDay } from "../drive/circuit.ts";
import type { FleetTracker } from "./trackers.ts";

const TITLE = "Trips of the last three days";
const DAYS = 3;
/** The id of the report about trips. */
const TRIPS = 4;

/** Orders a report about the trips of all vehicles. */
export async function orderReport(client: FleetClient, fleet: FleetTracker[], now: number) {
  const { list } = await client.call("/report/tracker/list");
  const trackers = fleet.map(({ tracker_id }) => tracker_id);
  const from = new Date(startOfDay(now, DAYS)).toISOString();
  const to = new Date(startOfDay(now) - SECOND_MS).toISOString();
  await findOrCreate(
    list,
    ({ title }) => title === TITLE,
    () => client.call("/report/tracker/generate", { title: TITLE, trackers, from, to, plugin: { plugin_id: TRIPS } }),
  );
}
