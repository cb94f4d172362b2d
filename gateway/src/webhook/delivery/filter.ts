import type { Principal } from "#shared/caller/principal.ts";
import { CATALOGUE, typesFor } from "../../event/catalogue.ts";
import type { EventRow } from "../../table/event.ts";
import type { WebhookRow } from "../../table/webhook.ts";
import type { Delivery } from "./delivery.ts";

type Filters = Pick<WebhookRow, "tracker_ids" | "zone_ids"> & { taggedTrackers: Set<number> | null };

/** Whether an event passes the filters of a webhook. An event without a tracker, or without zones, does not pass theirs. */
export function passesFilters(
  { tracker_id, subject, data }: EventRow,
  { tracker_ids, zone_ids, taggedTrackers }: Filters,
): boolean {
  if (tracker_ids && !(tracker_id !== null && tracker_ids.includes(tracker_id))) return false;
  if (taggedTrackers && !(tracker_id !== null && taggedTrackers.has(tracker_id))) return false;
  return !zone_ids || zonesOf(subject, data).some((id) => zone_ids.includes(id));
}

/** The zones of a history event, or the zone that was changed, itself or its points. */
function zonesOf(subject: string, { extra }: Record<string, unknown>): number[] {
  const [thing, id] = subject.split(":");
  if (thing === "zone" || thing === "zone_points") return [Number(id)];
  if (typeof extra !== "object" || extra === null || !("zone_ids" in extra)) return [];
  return Array.isArray(extra.zone_ids) ? extra.zone_ids : [];
}

/** Whether the webhook's user may still see what is to be delivered. */
export function maySee(
  principal: Principal,
  { type, tracker_id, body }: Pick<Delivery, "type" | "tracker_id" | "body">,
): boolean {
  if (principal.kind === "master" || !(type in CATALOGUE)) return true;
  if (typesFor(principal, "everyone").some((visible) => visible === type)) return true;
  // The feed shows its user only own events of these types.
  if (typesFor(principal, "owner").some((visible) => visible === type)) return seesAll(principal.scope, body);
  if (!typesFor(principal, "tracker").some((visible) => visible === type)) return false;
  return tracker_id !== null && (principal.scope === "all" || principal.scope.includes(tracker_id));
}

/** Whether the scope has all trackers that the body names. A body that was shortened names none: nobody knows. */
function seesAll(scope: Principal["scope"], body: string): boolean {
  if (scope === "all") return true;
  const { data }: { data: { trackers?: number[]; is_shortened?: true } } = JSON.parse(body);
  return !data.is_shortened && (data.trackers ?? []).every((id) => scope.includes(id));
}
