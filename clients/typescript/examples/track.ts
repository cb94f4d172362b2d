// Registers a tracker, sends points as a device does, reads the track and makes a report of its trips.
import { FleetClient } from "fleet-monitoring-client";

const { FLEET_URL: baseUrl = "", FLEET_LOGIN: login = "", FLEET_PASSWORD: password = "" } = process.env;
const fleet = new FleetClient({ baseUrl, credentials: { login, password } });

const MINUTE_MS = 60_000;
const start = Math.floor(Date.now() / MINUTE_MS - 60) * MINUTE_MS;
const device_id = `86${start}`; // 15 digits
const device = { label: "Van 7", group_id: 0, model: "generic_gps", plugin_id: 44, device_id };
const { value: tracker } = await fleet.call("/tracker/register", device);

for (let minute = 0; minute < 20; minute++) {
  const timestamp = (start + minute * MINUTE_MS) / 1000;
  const point = `id=${device_id}&timestamp=${timestamp}&lat=${52 + minute / 100}&lon=13&speed=40`;
  await fetch(`${baseUrl}/ingest/osmand?${point}`);
}

const range = { from: new Date(start).toISOString(), to: new Date(start + 30 * MINUTE_MS).toISOString() };
const { list } = await fleet.call("/track/read", { tracker_id: tracker.id, simplify: false, ...range });
console.log(`${list.length} points from ${list[0]?.get_time}`);

const { report } = await fleet.report({ trackers: [tracker.id], ...range, plugin: { plugin_id: 4 } });
console.log(`the report has ${report.sheets.length} sheet`);
