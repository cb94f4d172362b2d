import { isObject } from "#shared/body/json.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { GatewayEnv } from "../env.ts";
import { throwUnavailable } from "../unavailable.ts";
import type { ChangeSource } from "./change-source.ts";
import { keyOf, type Subscription } from "./subscription.ts";

/** Of one tracker, lists by their names: `inputs`, `states`, `virtual_sensors`, `counters`. */
type Readings = Record<string, unknown[]>;

/** What the readings of trackers were when a socket was told of them, so that it is told of what has changed alone. */
export class ReadingsSource implements ChangeSource {
  #env: GatewayEnv;
  /** By subscription and tracker, then the texts by list and name. */
  #sentTexts = new Map<string, Map<string, string>>();

  constructor(env: GatewayEnv) {
    this.#env = env;
  }

  async takeChanges(principal: Principal, subscription: Subscription, tracker_ids: number[]): Promise<string[]> {
    const changed: string[] = [];
    for (let start = 0; start < tracker_ids.length; start += MAX_TRACKERS_PER_QUERY) {
      const part = tracker_ids.slice(start, start + MAX_TRACKERS_PER_QUERY);
      const found = await this.#fetchReadings(principal, subscription, part);
      for (const [tracker_id, readings] of Object.entries(found)) {
        const news = this.#takeChangedItems(`${keyOf(subscription)} ${tracker_id}`, readings);
        if (news) changed.push(JSON.stringify({ [tracker_id]: news }));
      }
    }
    return changed;
  }

  forget(of: Subscription, tracker_id: number) {
    this.#sentTexts.delete(`${keyOf(of)} ${tracker_id}`);
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
    const reply: unknown = JSON.parse(answer.body);
    if (isObject(reply) && isObject(reply.result)) return parseReadings(reply.result);
    const code = isObject(reply) && isObject(reply.status) ? reply.status.code : 6;
    if (code === 7) throw invalid("requests", "names a sensor_type that there is not");
    // One of them was blocked or hidden meanwhile: the others are asked for all the same.
    if (code === 217 && trackers.length > 1) {
      const middle = Math.ceil(trackers.length / 2);
      const halves = [trackers.slice(0, middle), trackers.slice(middle)];
      const found = await Promise.all(halves.map((half) => this.#fetchReadings(principal, subscription, half)));
      return Object.assign({}, ...found);
    }
    if (code === 217) return {};
    throw new ApiError(14);
  }

  #takeChangedItems(key: string, readings: Readings): Readings | undefined {
    const before = this.#sentTexts.get(key) ?? new Map<string, string>();
    const now = new Map<string, string>();
    const news: Readings = {};
    for (const [list, items] of Object.entries(readings)) {
      for (const item of items) {
        const name = `${list} ${itemKeyOf(item)}`;
        const text = JSON.stringify(item);
        now.set(name, text);
        if (before.get(name) === text) continue;
        news[list] = [...(news[list] ?? []), item];
      }
    }
    this.#sentTexts.set(key, now);
    return Object.keys(news).length > 0 ? news : undefined;
  }
}

function parseReadings(result: Record<string, unknown>): Record<string, Readings> {
  const found = Object.entries(result).map(([tracker_id, given]) => {
    const lists = Object.entries(isObject(given) ? given : {}).filter(
      (entry): entry is [string, unknown[]] => LIST_NAMES.has(entry[0]) && Array.isArray(entry[1]),
    );
    return [tracker_id, Object.fromEntries(lists)];
  });
  return Object.fromEntries(found);
}

/** By which an item of a list is told from the others. */
function itemKeyOf(item: unknown): string {
  if (!isObject(item)) return "";
  return JSON.stringify([item.sensor_id, item.field, item.type, item.name]);
}

const LIST_NAMES = new Set(["inputs", "states", "virtual_sensors", "counters"]);
/** In one question. */
const MAX_TRACKERS_PER_QUERY = 500;
