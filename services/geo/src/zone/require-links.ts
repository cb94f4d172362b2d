import type { Principal } from "#shared/caller/principal.ts";
import type { NamedLinks, RowLinks, TagsAndEmployees } from "#shared/contract/fleet.ts";
import { type ApiError, invalid } from "#shared/error/api-error.ts";
import type { GeoEnv } from "../env.ts";

type Thing = "place" | "zone";

/** Throws unless all tags belong to the account and the caller sees all employees. */
export async function requireLinks(env: GeoEnv, principal: Principal, links: TagsAndEmployees, thing: Thing) {
  requireExisting(links, await findExisting(env, principal, links), thing);
}

/** The tags and employees that the caller may name. Calls fleet only if there are some. */
export async function findExisting({ FLEET }: GeoEnv, principal: Principal, links: TagsAndEmployees) {
  return links.tags.length === 0 && links.employees.length === 0 ? links : FLEET.existingLinks(principal, links);
}

/** The tags and employees that rows of a batch name. Calls fleet only if there are some. */
export async function findRowLinks({ FLEET }: GeoEnv, principal: Principal, named: NamedLinks): Promise<RowLinks> {
  const isNothing = named.tag_names.length === 0 && named.employees.length === 0;
  return isNothing ? { tags: [], employees: [] } : FLEET.rowLinks(principal, named);
}

export function requireExisting(links: TagsAndEmployees, existing: TagsAndEmployees, thing: Thing) {
  if (!includesAll(links.tags, existing.tags)) throw unknownTagError(thing);
  if (!includesAll(links.employees, existing.employees)) {
    throw invalid(`${thing}.fields`, "names an employee that does not exist");
  }
}

export function unknownTagError(thing: Thing): ApiError {
  return invalid(`${thing}.tags`, "names a tag that does not exist");
}

function includesAll(named: number[], existing: number[]) {
  const existingIds = new Set(existing);
  return named.every((id) => existingIds.has(id));
}
