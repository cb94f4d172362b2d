import type { Principal } from "#shared/caller/principal.ts";
import type { TagsAndEmployees } from "#shared/contract/fleet.ts";
import { type ApiError, invalid } from "#shared/error/api-error.ts";
import type { GeoEnv } from "../env.ts";

/** All must be the account's, the employees such as the caller sees. */
export async function requireLinks(
  { FLEET }: GeoEnv,
  principal: Principal,
  links: TagsAndEmployees,
  thing: "place" | "zone",
) {
  if (links.tags.length === 0 && links.employees.length === 0) return;
  const existing = await FLEET.existingLinks(principal, links);
  if (!areAll(links.tags, existing.tags)) throw unknownTag(thing);
  if (!areAll(links.employees, existing.employees)) {
    throw invalid(`${thing}.fields`, "names an employee that does not exist");
  }
}

export function unknownTag(thing: "place" | "zone"): ApiError {
  return invalid(`${thing}.tags`, "names a tag that does not exist");
}

function areAll(named: number[], existing: number[]) {
  const found = new Set(existing);
  return named.every((id) => found.has(id));
}
