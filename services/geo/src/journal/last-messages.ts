import type { AttributeValue, LastValues } from "#shared/contract/last-values.ts";
import type { Point } from "../point/point.ts";
import { NEWEST_POINTS } from "../point/point-batch.ts";

type Values = NonNullable<Point["attributes"]>;
/** What a device said at one moment of its clock, and when it came in by ours. */
type DeviceMessage = { time: number; received: number; values: Values };

/**
 * The last messages of a device: the newest whole, and of older ones the attributes that are among the last of their
 * name. A moment is one message however often it is told, so that it may be taken in again from the journal.
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
    // Sorted now and then, and not with each: a device that sends each second is asked for them by hardly anybody.
    if (this.#messages.length > this.#sortAboveCount) this.#sortAndTrim();
  }

  /** Of points in order; those that say nothing, and are not among the newest, are passed over. */
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

  /** Newest first, every moment once, and nothing that is behind the last of its name. */
  #sortAndTrim() {
    const counts = new Map<string, number>();
    const isAmongLast = (name: string) => {
      const count = (counts.get(name) ?? 0) + 1;
      // A device that invents names must not be kept without end.
      if (count === 1 && counts.size >= MAX_NAMES) return false;
      counts.set(name, count);
      return count <= MAX_MESSAGES;
    };
    this.#messages = mergeMessages(this.#messages).flatMap((message, index) => {
      const kept = Object.entries(message.values).filter(([name]) => isAmongLast(name));
      if (index < MAX_MESSAGES) return [message];
      return kept.length > 0 ? [{ ...message, values: Object.fromEntries(kept) }] : [];
    });
    this.#sortAboveCount = this.#messages.length + MAX_UNSORTED;
  }
}

/** When the last moments begin, of which all messages are kept. */
function startOfNewest(points: Point[]): number {
  let moments = 0;
  for (let index = points.length - 1; index > 0; index--) {
    const [time, before] = [points[index]?.time ?? 0, points[index - 1]?.time];
    if (time !== before && ++moments === MAX_MESSAGES) return time;
  }
  return Number.NEGATIVE_INFINITY;
}

/** What came in first says when. */
function mergeMessages(messages: DeviceMessage[]): DeviceMessage[] {
  const once: DeviceMessage[] = [];
  for (const message of messages.toSorted((one, other) => other.time - one.time)) {
    const last = once.at(-1);
    if (last?.time !== message.time) once.push(message);
    else once[once.length - 1] = { ...last, values: { ...last.values, ...message.values } };
  }
  return once;
}

/** A device may call what it likes by the names of an object's own members. */
function valueIn({ values }: DeviceMessage, name: string): AttributeValue["value"] {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

function toAttributeValue({ time, received }: DeviceMessage, value: AttributeValue["value"]): AttributeValue {
  return { value, msg_time: time, srv_time: received };
}

const KEY = "messages";
/** Of each attribute, and of messages as a whole. */
const MAX_MESSAGES = NEWEST_POINTS;
const MAX_NAMES = 100;
const MAX_UNSORTED = 64;
