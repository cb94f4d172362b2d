// Makes a vehicle, lists all vehicles page by page, and shows what a refusal looks like.
import { ApiError, FleetClient, type Schemas } from "fleet-monitoring-client";

const { FLEET_URL: baseUrl = "", FLEET_LOGIN: login = "", FLEET_PASSWORD: password = "" } = process.env;
const fleet = new FleetClient({ baseUrl, credentials: { login, password } });

const { id } = await fleet.call("/vehicle/create", { vehicle: { label: "Van 7", max_speed: 120 } });
const { value }: { value: Schemas["Vehicle"] } = await fleet.call("/vehicle/read", { vehicle_id: id });
console.log(`made ${value.label}, at most ${value.max_speed} km/h`);

for await (const vehicle of fleet.each("/vehicle/list", { sort: ["label=asc"] })) console.log(`found ${vehicle.label}`);

try {
  await fleet.call("/vehicle/create", { vehicle: { label: "" } });
} catch (thrown) {
  if (!(thrown instanceof ApiError)) throw thrown;
  for (const { parameter, error } of thrown.errors) console.log(`refused with ${thrown.code}: ${parameter} ${error}`);
}

await fleet.call("/vehicle/delete", { vehicle_id: id });
