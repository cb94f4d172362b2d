import type { Scope } from "#shared/caller/principal.ts";
import { invalid } from "#shared/error/api-error.ts";

/** Where a phone is: in the middle of everything, or behind so many changes. */
export type Cursor = {
  /** The revision from which on changes are told once everything is. */
  revision: number;
  /** In everything, behind which key; null: everything has been told. */
  after: number | null;
  /** What the caller saw then: a mark of its trackers. */
  scope: string;
};

export function written({ revision, after, scope }: Cursor): string {
  return [revision, after ?? "", scope].join(".");
}

export function readCursor(text: string): Cursor {
  const { revision, after, scope } = FORM.exec(text)?.groups ?? {};
  if (revision === undefined || scope === undefined) throw invalid("cursor", "is none that this call has answered");
  return { revision: Number(revision), after: after ? Number(after) : null, scope };
}

/** A mark by which one set of visible trackers is told from another. */
export async function markOf(scope: Scope): Promise<string> {
  if (scope === "all") return "all";
  const ids = scope.toSorted((one, other) => one - other).join();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(ids)));
  return Buffer.from(digest.slice(0, 16)).toString("hex");
}

const FORM = /^(?<revision>\d{1,15})\.(?<after>\d{0,15})\.(?<scope>all|[0-9a-f]{32})$/;
