import type { EventName } from "#shared/contract/event.ts";
import type {
  AreaKinds,
  DriverShift,
  Equipment,
  EquipmentThen,
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

type Position = { lat: number; lng: number };
/** A point, and the step to it from the point before. It follows none where the step leads through times left out. */
export type TrackPoint = ReportPoint & { follows: boolean; step_ms: number; step_meters: number };

/** What a plugin reads of one tracker; all of it within the range, the stored period and the filter of times. */
export type TrackerData = {
  tracker_id: number;
  from: number;
  to: number;
  /** When it is read. */
  now: number;
  /** Those that touch the range, whatever the filter of times says. */
  allTrips(): Promise<ReportTrip[]>;
  /** With these attributes. */
  points(attributes?: string[]): AsyncGenerator<TrackPoint[]>;
  isWithin(ms: number): boolean;
  equipment(): Promise<Equipment>;
  /** With the odometer at the end of the range, as far as it has passed. */
  equipmentThen(): Promise<EquipmentThen>;
  tagNames(ids: number[]): Promise<Map<number, string>>;
  /** Of these names, or all. */
  events(names: EventName[] | null): AsyncGenerator<ReportEvent[]>;
  /** In the order of time, whatever the filter of times says: what began outside stands within. The first one may have stood before. */
  drivers(): Promise<DriverShift[]>;
  statuses(): Promise<StatusShift[]>;
  /** The places for which somebody is responsible who was on the tracker. */
  placesOfDrivers(): Promise<number[]>;
  visits(thing: "zone" | "place", ids: number[]): Promise<ReportVisits>;
  /** Addresses have before them the places and zones that the report's reader wants there. */
  names(positions: Position[]): Promise<NamedPosition[]>;
  /** The labels of such places and zones alone, or of those that are named here. */
  areas(positions: Position[], wished?: AreaKinds): Promise<string[][]>;
  tasks(): AsyncGenerator<ReportTask[]>;
  checkins(): AsyncGenerator<ReportCheckin[]>;
  forms(): AsyncGenerator<(FilledForm & { id: number; time: number })[]>;
};
