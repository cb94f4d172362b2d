import type { EventName } from "#shared/contract/event/event.ts";
import type {
  AreaKinds,
  DriverShift,
  Equipment,
  EquipmentAtTime,
  FilledForm,
  NamedPosition,
  ReportCheckin,
  ReportEvent,
  ReportPoint,
  ReportTask,
  ReportTrip,
  ReportVisits,
  StatusShift,
} from "#shared/contract/report-source.ts";
import type { Position } from "#shared/geometry/position.ts";

/**
 * A point, and the step to it from the point before. `follows` is false after a gap, or when the filter excludes time
 * between both.
 */
export type TrackPoint = ReportPoint & { follows: boolean; step_ms: number; step_meters: number };

/** The data of one tracker that a plugin reads, limited to the range, the storage period and the time filter. */
export type TrackerData = {
  tracker_id: number;
  from: number;
  to: number;
  /** The time of reading, in UTC milliseconds. */
  now: number;
  /** All trips that touch the range; the time filter is not applied. */
  allTrips(): Promise<ReportTrip[]>;
  /** Points with the given attributes, page by page. */
  points(attributes?: string[]): AsyncGenerator<TrackPoint[]>;
  isWithin(ms: number): boolean;
  equipment(): Promise<Equipment>;
  /** The equipment with the odometer's value at the end of the range, or now if that is earlier. */
  equipmentAt(): Promise<EquipmentAtTime>;
  tagNames(ids: number[]): Promise<Map<number, string>>;
  /** Events with these names; null means all. */
  events(names: EventName[] | null): AsyncGenerator<ReportEvent[]>;
  /** Drivers by time, without the time filter. The first entry may have begun before the range. */
  drivers(): Promise<DriverShift[]>;
  statuses(): Promise<StatusShift[]>;
  /** Places assigned to the employees who were on the tracker. */
  placesOfDrivers(): Promise<number[]>;
  visits(thing: "zone" | "place", ids: number[]): Promise<ReportVisits>;
  /** Positions with addresses; labels of places and zones precede the address if the report asks for them. */
  names(positions: Position[]): Promise<NamedPosition[]>;
  /** The labels of the areas at each position; `kinds` overrides the report's settings. */
  areas(positions: Position[], kinds?: AreaKinds): Promise<string[][]>;
  tasks(): AsyncGenerator<ReportTask[]>;
  checkins(): AsyncGenerator<ReportCheckin[]>;
  forms(): AsyncGenerator<(FilledForm & { id: number; time: number })[]>;
};
