import { createHash } from "node:crypto";
import type { Principal } from "#shared/caller/principal.ts";
import type { TrackerValues } from "#shared/contract/live.ts";
import type { AttributeValue } from "#shared/contract/point/last-values.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../env.ts";
import { throwUnavailable } from "../unavailable.ts";
import type { ChangeSource } from "./change-source.ts";
import { keyOf, type Subscription } from "./subscription.ts";

/** The last messages of a few devices, by attribute. One new message changes the whole list, so all of it is sent. */
export class LastValuesSource implements ChangeSource {
  #env: GatewayEnv;
  /** By subscription and tracker: digests of the sent texts, which may be long. */
  #sentDigests = new Map<string, string>();

  constructor(env: GatewayEnv) {
    this.#env = env;
  }

  async takeChanges(principal: Principal, subscription: Subscription, tracker_ids: number[]): Promise<string[]> {
    if (tracker_ids.length === 0) return [];
    const found = await this.#env.GEO.lastValues(principal, tracker_ids).catch(throwUnavailable);
    return found.flatMap((values) => {
      const [key, text] = [trackerKeyOf(subscription, values.tracker_id), JSON.stringify(toClientValues(values))];
      const digest = createHash("sha256").update(text).digest("hex");
      if (this.#sentDigests.get(key) === digest) return [];
      this.#sentDigests.set(key, digest);
      return text;
    });
  }

  forget(subscription: Subscription, tracker_id: number) {
    this.#sentDigests.delete(trackerKeyOf(subscription, tracker_id));
  }
}

function trackerKeyOf(subscription: Subscription, tracker_id: number) {
  return `${keyOf(subscription)} ${tracker_id}`;
}

/** Times are in UTC, regardless of the user's time zone. */
function toClientValues({ tracker_id, nonnull_fields, all_fields }: TrackerValues) {
  return { tracker_id, nonnull_fields: toClientFields(nonnull_fields), all_fields: toClientFields(all_fields) };
}

function toClientFields(fields: Record<string, AttributeValue[]>) {
  const toClientValue = ({ value, msg_time, srv_time }: AttributeValue) => ({
    value,
    msg_time: writeLocal(msg_time, "UTC"),
    srv_time: writeLocal(srv_time, "UTC"),
  });
  return Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values.map(toClientValue)]));
}
