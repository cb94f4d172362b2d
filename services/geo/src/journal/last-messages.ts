import type { AttributeValue, LastValues } from "#shared/contract/point/last-values.ts";
import type { Point } from "../point/point.ts";
import { NEWEST_POINTS } from "../point/point-batch.ts";

type Values = NonNullable<Point["attributes"]>;
/** Attributes that a device sent for one moment: `time` by its clock, `received` by the server's. */
type DeviceMessage = { time: number; received: number; values: Values };

/**
 * The last messages of a device: the newest ones whole, older ones with only those attributes that are among the last
 * values of their name. Messages of one time merge, so that the journal may be read again after a restart.
 */
export class LastMessages {
  #kv: SyncKvStorage;
  #messages: DeviceMessage[];
  #sortAboveCount: number;

  constructor({ kv }: DurableObjectStorage) {
    this.#kv = kv;
    this.#messages = kv.get<DeviceMessage[]>(KEY) ?? [];
    this.#sortAboveCount = this.#messages.length + MAX_UNSORTED;
  }

  add(time: number, received: number, values: Values | null) {
    this.#messages.push({ time, received, values: values ?? {} });
    // Sorted only from time to time: devices send every second, and these values are rarely requested.
    if (this.#messages.length > this.#sortAboveCount) this.#sortAndTrim();
  }

  /** Adds the messages of points in time order; skips points without attributes unless they are among the newest. */
  addPoints(points: Point[], received: number) {
    const newest = startOfNewest(points);
    for (const { time, attributes } of points) {
      if (attributes !== null || time >= newest) this.add(time, received, attributes);
    }
  }

  current(): LastValues {
    this.#sortAndTrim();
    const newest = this.#messages.slice(0, MAX_MESSAGES);
    const byName = new Map<string, AttributeValue[]>();
    for (const message of this.#messages)
      for (const [name, value] of Object.entries(message.values)) {
        const known = byName.get(name) ?? [];
        byName.set(name, known);
        if (known.length < MAX_MESSAGES) known.push(toAttributeValue(message, value));
      }
    const names = [...byName.keys()];
    return {
      nonnull_fields: Object.fromEntries(byName),
      all_fields: Object.fromEntries(
        names.map((name) => [name, newest.map((message) => toAttributeValue(message, valueIn(message, name)))]),
      ),
    };
  }

  store() {
    if (this.#messages.length === 0) return;
    this.#sortAndTrim();
    this.#kv.put(KEY, this.#messages);
  }

  /** Sorts newest first, merges messages of one time, and drops values that are not among the last of their name. */
  #sortAndTrim() {
    const counts = new Map<string, number>();
    const isAmongLast = (name: string) => {
      const count = (counts.get(name) ?? 0) + 1;
      // Bounds the number of names, which a device may invent.
      if (count === 1 && counts.size >= MAX_NAMES) return false;
      counts.set(name, count);
      return count <= MAX_MESSAGES;
    };
    this.#messages = mergeMessages(this.#messages).flatMap((message, index) => {
      const lastValues = Object.entries(message.values).filter(([name]) => isAmongLast(name));
      if (index < MAX_MESSAGES) return [message];
      return lastValues.length > 0 ? [{ ...message, values: Object.fromEntries(lastValues) }] : [];
    });
    this.#sortAboveCount = this.#messages.length + MAX_UNSORTED;
  }
}

/** The time of the oldest message that is kept whole. */
function startOfNewest(points: Point[]): number {
  let moments = 0;
  for (let index = points.length - 1; index > 0; index--) {
    const [time, before] = [points[index]?.time ?? 0, points[index - 1]?.time];
    if (time !== before && ++moments === MAX_MESSAGES) return time;
  }
  return Number.NEGATIVE_INFINITY;
}

/** Merges messages of one time; `received` stays that of the first. */
function mergeMessages(messages: DeviceMessage[]): DeviceMessage[] {
  const once: DeviceMessage[] = [];
  for (const message of messages.toSorted((one, other) => other.time - one.time)) {
    const last = once.at(-1);
    if (last?.time !== message.time) once.push(message);
    else once[once.length - 1] = { ...last, values: { ...last.values, ...message.values } };
  }
  return once;
}

/** Own members only: a device may name an attribute like a member of every object, such as `toString`. */
function valueIn({ values }: DeviceMessage, name: string): AttributeValue["value"] {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

function toAttributeValue({ time, received }: DeviceMessage, value: AttributeValue["value"]): AttributeValue {
  return { value, msg_time: time, srv_time: received };
}

const KEY = "messages";
/** Kept values of each attribute, and kept whole messages. */
const MAX_MESSAGES = NEWEST_POINTS;
const MAX_NAMES = 100;
const MAX_UNSORTED = 64;
