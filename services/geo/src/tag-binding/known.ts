import { invalid } from "#shared/api-error.ts";
import type { Principal } from "#shared/principal.ts";
import type { GeoEnv } from "../env.ts";

/** What things of ours refer to in fleet. */
export type Links = { tags: number[]; employees: number[] };

/** All must be the account's, the employees such as the caller sees. */
export async function requireLinks({ FLEET }: GeoEnv, principal: Principal, links: Links, thing: "place" | "zone") {
  if (links.tags.length === 0 && links.employees.length === 0) return;
  const known = await FLEET.knownLinks(principal, links);
  if (!areAll(links.tags, known.tags)) throw invalid(`${thing}.tags`, "names a tag that does not exist");
  if (!areAll(links.employees, known.employees)) {
    throw invalid(`${thing}.fields`, "names an employee that does not exist");
  }
}

function areAll(wanted: number[], known: number[]) {
  const found = new Set(known);
  return wanted.every((id) => found.has(id));
}
