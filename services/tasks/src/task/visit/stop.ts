import type { Stop } from "#shared/contract/point/visit.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TaskRow } from "../../table/task/task.ts";

type StopColumns = Pick<
  TaskRow,
  "id" | "location" | "from" | "deadline" | "min_arrival_duration" | "min_stay_duration"
>;

/** The stop of a task; undefined for a route, which has no location. */
export function toStop({ id, location, from, deadline, ...row }: StopColumns): Stop | undefined {
  if (!location || deadline === null) return undefined;
  const { lat, lng, radius } = location;
  return {
    ...{ task_id: id, lat, lng, radius, from, deadline },
    min_arrival_ms: row.min_arrival_duration * MINUTE_MS,
    min_stay_ms: row.min_stay_duration * MINUTE_MS,
  };
}

/** True when task, place, time and stay are equal. */
export function isSameStop(one: Stop, other: Stop): boolean {
  return (
    one.task_id === other.task_id &&
    one.lat === other.lat &&
    one.lng === other.lng &&
    one.radius === other.radius &&
    one.from === other.from &&
    one.deadline === other.deadline &&
    one.min_arrival_ms === other.min_arrival_ms &&
    one.min_stay_ms === other.min_stay_ms
  );
}
