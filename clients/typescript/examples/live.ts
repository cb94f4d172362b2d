// Follows the states of all trackers and stops after the first message.
import { FleetClient } from "fleet-monitoring-client";

const { FLEET_URL: baseUrl = "", FLEET_LOGIN: login = "", FLEET_PASSWORD: password = "" } = process.env;
const fleet = new FleetClient({ baseUrl, credentials: { login, password } });

const requests = [{ type: "state_batch" as const, target: { type: "all" as const }, rate_limit: "5s" }];
for await (const { event, data } of fleet.live(requests)) {
  console.log(event, Array.isArray(data) ? data.length : data);
  break;
}
