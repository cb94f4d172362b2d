import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fronts } from "../../scripts/system/miniflare.ts";

/** Durable Objects of geo by their bindings: points meet no others. */
const GEO_OBJECTS = {
  FEEDS: "TrackerFeed",
  BOARDS: "RetranslationBoard",
  GEOCODERS: "GeocoderQueue",
  RELAYS: "StateRelay",
  RULES: "AccountRules",
  JOURNALS: "SharedJournalObject",
};

/** Durable Objects of the gateway that deliveries of webhooks meet. */
const GATEWAY_OBJECTS = { ACCOUNT_EVENTS: "AccountEvents", WEBHOOK_SENDERS: "WebhookSender" };

/** The Workers that count what points cost. */
export const METERED = ["geo", "files"] as const;

/** Has geo and the gateway count what their objects do, and files what it does to buckets; geo's time is that of the points. */
export function meteredFronts(): Fronts {
  const meter = readFileSync(join(import.meta.dirname, "meter.js"), "utf8");
  return {
    geo: { "front.js": frontOf(GEO_OBJECTS), "meter.js": meter },
    files: { "front.js": frontOf({}), "meter.js": meter },
    gateway: { "front.js": frontOf(GATEWAY_OBJECTS, "meteredHandlers"), "meter.js": meter },
  };
}

function frontOf(objects: Record<string, string>, entry = "meteredService"): string {
  const classes = Object.entries(objects).map(
    ([binding, name]) => `export const ${name} = metered("${binding}", bundle.${name});`,
  );
  return [
    'import * as bundle from "./index.js";',
    `import { metered, ${entry} } from "./meter.js";`,
    'export * from "./index.js";',
    ...classes,
    `export default ${entry}(bundle.default);`,
  ].join("\n");
}
