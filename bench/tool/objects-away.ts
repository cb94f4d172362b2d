import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fronts } from "../../scripts/system/miniflare.ts";
import type { Stack } from "./stack.ts";

/** The Workers whose objects calls wait for, with those. */
const OBJECTS = {
  gateway: ["CredentialGuard", "AccountTurns"],
  geo: ["TrackerFeed", "AccountRules", "SharedJournalObject"],
} as const;
const MODULE = "objects-away.js";

/** Lets Durable Objects be as far away as `setObjectsAway` says. */
export function distantFronts(): Fronts {
  const away = readFileSync(join(import.meta.dirname, MODULE), "utf8");
  return {
    gateway: { "front.js": frontOf("gateway", GATEWAY), [MODULE]: away },
    geo: { "front.js": frontOf("geo", SERVICE), [MODULE]: away },
  };
}

/** Delays calls of Durable Objects from now on; answers the delay. */
export async function setObjectsAway({ workers }: Stack, ms: number): Promise<number> {
  await workers.ask("gateway", `/objects-away/${ms}`);
  return Number(await workers.ask("geo", `/objects-away/${ms}`));
}

function frontOf(worker: keyof typeof OBJECTS, entrypoint: string): string {
  return [
    'import * as bundle from "./index.js";',
    `import { away, heard } from "./${MODULE}";`,
    'export * from "./index.js";',
    ...OBJECTS[worker].map((name) => `export const ${name} = away(bundle.${name});`),
    entrypoint,
  ].join("\n");
}

const GATEWAY = `export default {
  ...bundle.default,
  fetch: (request, env, ctx) => heard(request) ?? bundle.default.fetch(request, env, ctx),
};`;
const SERVICE = `export default class extends bundle.default {
  fetch(request) {
    return heard(request) ?? super.fetch(request);
  }
}`;
