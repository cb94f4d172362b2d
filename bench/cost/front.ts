import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fronts } from "../../scripts/system/miniflare.ts";

/** Durable Objects of geo by their bindings: points meet no others. */
const OBJECTS = {
  FEEDS: "TrackerFeed",
  BOARDS: "RetranslationBoard",
  GEOCODERS: "GeocoderDesk",
  RELAYS: "StateRelay",
  RULES: "AccountRuleBook",
  JOURNALS: "SharedJournalObject",
};

/** The Workers that count. */
export const METERED = ["geo", "files"] as const;

/** Has geo count what its objects do, and files what it does to buckets; geo's time is that of the points. */
export function meteredFronts(): Fronts {
  const meter = readFileSync(join(import.meta.dirname, "meter.js"), "utf8");
  return {
    geo: { "front.js": frontOf(OBJECTS), "meter.js": meter },
    files: { "front.js": frontOf({}), "meter.js": meter },
  };
}

function frontOf(objects: Record<string, string>): string {
  const classes = Object.entries(objects).map(
    ([binding, name]) => `export const ${name} = metered("${binding}", bundle.${name});`,
  );
  return [
    'import * as bundle from "./index.js";',
    'import { metered, meteredService } from "./meter.js";',
    'export * from "./index.js";',
    ...classes,
    "export default meteredService(bundle.default);",
  ].join("\n");
}
