import { isObject } from "#shared/body/json.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { GatewayEnv } from "../env.ts";
import { throwUnavailable } from "../unavailable.ts";
import type { ChangeSource } from "./change-source.ts";
import { keyOf, type Subscription } from "./subscription.ts";

/** The readings of one tracker: the lists `inputs`, `states`, `virtual_sensors` and `counters`. */
type Readings = Record<string, unknown[]>;

/** Readings of trackers. Remembers the readings sent to a socket, so that only changed ones are sent again. */
export class ReadingsSource implements ChangeSource {
  #env: GatewayEnv;
  /** By subscription and tracker: the JSON of each sent reading, by its key. */
  #sentTexts = new Map<string, Map<string, string>>();

  constructor(env: GatewayEnv) {
    this.#env = env;
  }

  async takeChanges(principal: Principal, subscription: Subscription, tracker_ids: number[]): Promise<string[]> {
    const changed: string[] = [];
    for (let start = 0; start < tracker_ids.length; start += MAX_TRACKERS_PER_QUERY) {
      const batch = tracker_ids.slice(start, start + MAX_TRACKERS_PER_QUERY);
      const found = await this.#fetchReadings(principal, subscription, batch);
      for (const [tracker_id, readings] of Object.entries(found)) {
        const changedItems = this.#takeChangedItems(`${keyOf(subscription)} ${tracker_id}`, readings);
        if (changedItems) changed.push(JSON.stringify({ [tracker_id]: changedItems }));
      }
    }
    return changed;
  }

  forget(subscription: Subscription, tracker_id: number) {
    this.#sentTexts.delete(`${keyOf(subscription)} ${tracker_id}`);
  }

  async #fetchReadings(
    principal: Principal,
    subscription: Subscription,
    trackers: number[],
  ): Promise<Record<string, Readings>> {
    const { sensor_type, include_components } = subscription.readings ?? {};
    const request = {
      path: "/tracker/readings/batch_list",
      ...{ method: "POST", textual: {}, shows_hash: true, iso: false },
      typed: { trackers, sensor_type: sensor_type ?? undefined, include_components: include_components ?? true },
      ...{ address: "", user_agent: "", base_url: "", request_id: crypto.randomUUID() },
    };
    const answer = await this.#env.FLEET.handle(request, principal).catch(throwUnavailable);
    if (answer instanceof Response) throw new ApiError(6);
    const { code, body } = answer;
    if (code === 0) return parseReadings(JSON.parse(body).result);
    if (code === 7) throw invalid("requests", "names a sensor_type that there is not");
    // A tracker was blocked or hidden meanwhile: halving the query finds it and keeps the others.
    if (code === 217 && trackers.length > 1) {
      const middle = Math.ceil(trackers.length / 2);
      const halves = [trackers.slice(0, middle), trackers.slice(middle)];
      const readings = await Promise.all(halves.map((half) => this.#fetchReadings(principal, subscription, half)));
      return Object.assign({}, ...readings);
    }
    if (code === 217) return {};
    throw new ApiError(14);
  }

  #takeChangedItems(key: string, readings: Readings): Readings | undefined {
    const before = this.#sentTexts.get(key) ?? new Map<string, string>();
    const now = new Map<string, string>();
    const changed: Readings = {};
    for (const [list, items] of Object.entries(readings)) {
      for (const item of items) {
        const name = `${list} ${itemKeyOf(item)}`;
        const text = JSON.stringify(item);
        now.set(name, text);
        if (before.get(name) === text) continue;
        changed[list] = [...(changed[list] ?? []), item];
      }
    }
    this.#sentTexts.set(key, now);
    return Object.keys(changed).length > 0 ? changed : undefined;
  }
}

function parseReadings(result: Record<string, unknown>): Record<string, Readings> {
  const entries = Object.entries(result).map(([tracker_id, value]) => {
    const lists = Object.entries(isObject(value) ? value : {}).filter(
      (entry): entry is [string, unknown[]] => LIST_NAMES.has(entry[0]) && Array.isArray(entry[1]),
    );
    return [tracker_id, Object.fromEntries(lists)];
  });
  return Object.fromEntries(entries);
}

/** The members that identify a reading within its list. */
function itemKeyOf(item: unknown): string {
  if (!isObject(item)) return "";
  return JSON.stringify([item.sensor_id, item.field, item.type, item.name]);
}

const LIST_NAMES = new Set(["inputs", "states", "virtual_sensors", "counters"]);
const MAX_TRACKERS_PER_QUERY = 500;
