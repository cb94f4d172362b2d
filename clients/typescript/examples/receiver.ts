// Receives events of vehicles: makes a webhook for this machine, verifies what arrives, and stops after the first event.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { FleetClient, verifyWebhook, WebhookError } from "fleet-monitoring-client";

const { FLEET_URL: baseUrl = "", FLEET_LOGIN: login = "", FLEET_PASSWORD: password = "" } = process.env;
const fleet = new FleetClient({ baseUrl, credentials: { login, password } });
let secret = "";

const server = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(await text(request), request.headers, secret);
    // Answer first and work afterwards: after 15 seconds the delivery counts as failed.
    response.writeHead(204).end();
    if (event.type === "vehicle.created") console.log(`vehicle ${event.data.label} was created`);
    server.close();
  } catch (thrown) {
    response.writeHead(thrown instanceof WebhookError ? 400 : 500).end();
  }
});
server.listen(0, "127.0.0.1", async () => {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  // On the Internet a webhook needs https; an installation of `npm start` also posts to this machine.
  const webhook = { url: `http://127.0.0.1:${port}/`, types: ["vehicle.*"] };
  const created = await fleet.call("/webhook/create", { webhook });
  ({ secret } = created);
  const { id } = await fleet.call(
    "/vehicle/create",
    { vehicle: { label: "Van 8" } },
    { idempotencyKey: `van-8-${port}` },
  );
  server.once("close", async () => {
    await fleet.call("/webhook/delete", { webhook_id: created.id });
    await fleet.call("/vehicle/delete", { vehicle_id: id });
  });
});
