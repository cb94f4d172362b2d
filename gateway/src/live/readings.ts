import { isObject } from "#shared/body/json.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { LiveEntry } from "#shared/contract/live.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { guardOf } from "../credential/guard/of-credential.ts";
import type { GatewayEnv } from "../env.ts";
import { unavailable } from "../unavailable.ts";
import type { LiveRequest } from "./message.ts";
import { keyOf, membership, type Subscription } from "./subscription.ts";

/** Of the socket what is needed to tell it. */
type ReadingsSocket = {
  /** Of its credential. */
  key(): string | undefined;
  isVisible(tracker_id: number): boolean;
  send(of: Subscription, changes: string[]): void;
  /** They are to be asked for once more. */
  again(of: Subscription, tracker_ids: number[]): void;
  flush(): void;
};

/** Of one tracker, lists by their names: `inputs`, `states`, `virtual_sensors`, `counters`. */
type Readings = Record<string, unknown[]>;

/**
 * What the readings of trackers were when a socket was told of them, so that it is told of what has changed alone. They are
 * asked for as any client would ask, by what the caller sees then; what is lost with the object is told once more.
 */
export class SocketReadings {
  #env: GatewayEnv;
  #socket: ReadingsSocket;
  #isAsking = false;
  /** By subscription and tracker, then the texts by list and name. */
  #told = new Map<string, Map<string, string>>();

  constructor(env: GatewayEnv, socket: ReadingsSocket) {
    this.#env = env;
    this.#socket = socket;
  }

  /** False while the last are still being asked for. */
  tell(of: Subscription, tracker_ids: number[]): boolean {
    if (this.#isAsking) return false;
    this.#isAsking = true;
    this.#send(of, tracker_ids)
      .catch(() => this.#socket.again(of, tracker_ids))
      .finally(() => {
        this.#isAsking = false;
        this.#socket.flush();
      });
    return true;
  }

  /** For whoever the caller is by then. */
  async #send(of: Subscription, tracker_ids: number[]) {
    const key = this.#socket.key();
    const principal = key && (await guardOf(this.#env, key).principal(key));
    if (!principal) return;
    const changes = await this.changes(principal, of, tracker_ids.filter(this.#socket.isVisible));
    if (changes.length > 0) this.#socket.send(of, changes);
  }

  /** Of each of the trackers what is not as it was told last, as JSON; of one without any change nothing. */
  async changes(principal: Principal, subscription: Subscription, tracker_ids: number[]): Promise<string[]> {
    const changed: string[] = [];
    for (let start = 0; start < tracker_ids.length; start += MOST_TRACKERS) {
      const part = tracker_ids.slice(start, start + MOST_TRACKERS);
      const found = await this.#ask(principal, subscription, part);
      for (const [tracker_id, readings] of Object.entries(found)) {
        const news = this.#newsOf(`${keyOf(subscription)} ${tracker_id}`, readings);
        if (news) changed.push(JSON.stringify({ [tracker_id]: news }));
      }
    }
    return changed;
  }

  /** All readings that a request is about, also those that were told before; undefined where it is about states. */
  async first(principal: Principal, request: LiveRequest, entries: LiveEntry[]): Promise<string[] | undefined> {
    if (!request.readings) return undefined;
    const of = { ...request, except: [] };
    const has = membership(of);
    const ids = entries.flatMap(({ tracker_id }) => (has(tracker_id) ? tracker_id : []));
    for (const id of ids) this.#told.delete(`${keyOf(of)} ${id}`);
    return this.changes(principal, of, ids);
  }

  async #ask(principal: Principal, subscription: Subscription, trackers: number[]): Promise<Record<string, Readings>> {
    const { sensor_type, include_components } = subscription.readings ?? {};
    const request = {
      path: "/tracker/readings/batch_list",
      ...{ method: "POST", textual: {}, shows_hash: true, iso: false },
      typed: { trackers, sensor_type: sensor_type ?? undefined, include_components: include_components ?? true },
      ...{ address: "", user_agent: "", base_url: "", request_id: crypto.randomUUID() },
    };
    const answer = await this.#env.FLEET.handle(request, principal).catch(unavailable);
    if (answer instanceof Response) throw new ApiError(6);
    const reply: unknown = JSON.parse(answer.body);
    if (isObject(reply) && isObject(reply.result)) return readingsIn(reply.result);
    const code = isObject(reply) && isObject(reply.status) ? reply.status.code : 6;
    if (code === 7) throw invalid("requests", "names a sensor_type that there is not");
    // One of them was blocked or hidden meanwhile: the others are asked for all the same.
    if (code === 217 && trackers.length > 1) {
      const middle = Math.ceil(trackers.length / 2);
      const halves = [trackers.slice(0, middle), trackers.slice(middle)];
      const found = await Promise.all(halves.map((half) => this.#ask(principal, subscription, half)));
      return Object.assign({}, ...found);
    }
    if (code === 217) return {};
    throw new ApiError(14);
  }

  #newsOf(key: string, readings: Readings): Readings | undefined {
    const before = this.#told.get(key) ?? new Map<string, string>();
    const now = new Map<string, string>();
    const news: Readings = {};
    for (const [list, items] of Object.entries(readings)) {
      for (const item of items) {
        const name = `${list} ${nameOf(item)}`;
        const text = JSON.stringify(item);
        now.set(name, text);
        if (before.get(name) === text) continue;
        news[list] = [...(news[list] ?? []), item];
      }
    }
    this.#told.set(key, now);
    return Object.keys(news).length > 0 ? news : undefined;
  }
}

function readingsIn(result: Record<string, unknown>): Record<string, Readings> {
  const found = Object.entries(result).map(([tracker_id, given]) => {
    const lists = Object.entries(isObject(given) ? given : {}).filter(
      (entry): entry is [string, unknown[]] => LISTS.has(entry[0]) && Array.isArray(entry[1]),
    );
    return [tracker_id, Object.fromEntries(lists)];
  });
  return Object.fromEntries(found);
}

/** By which an item of a list is told from the others. */
function nameOf(item: unknown): string {
  if (!isObject(item)) return "";
  return JSON.stringify([item.sensor_id, item.field, item.type, item.name]);
}

const LISTS = new Set(["inputs", "states", "virtual_sensors", "counters"]);
/** In one question. */
const MOST_TRACKERS = 500;
