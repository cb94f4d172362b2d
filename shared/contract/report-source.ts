import type { Principal } from "../caller/principal.ts";
import type { Gauge } from "../telemetry/sensor.ts";
import type { EventName } from "./event.ts";

type Position = { lat: number; lng: number };
type AddressedPosition = Position & { address: string };
/** Also the labels of the reader's places and zones that it is in. */
type AreaPosition = AddressedPosition & { areas: string[] };
type TimeRange = { from: number; to: number };
/** One tracker's records of a range, those behind `after`. UTC milliseconds. */
export type RecordSearch = TimeRange & { tracker_id: number; after: RecordCursor | null };
/** The moment and the id of the last record that was read. */
export type RecordCursor = { time: number; id: number };
/** In the order of their moments; `next` is null behind the last. */
export type RecordPage<Item> = { items: Item[]; next: RecordCursor | null };

/** A trip as reports show it. UTC milliseconds, km/h. */
export type ReportTrip = {
  /** As `track/list` names it. */
  id: number;
  start_time: number;
  end_time: number;
  start: AreaPosition;
  end: AreaPosition;
  length_meters: number;
  max_speed: number;
  /** How many it is made of. */
  points: number;
  /** Fewer than four points, or hardly any way: the smart filter leaves it out. */
  is_short: boolean;
};

/** A point as reports show it; the speed as it was measured. */
export type ReportPoint = {
  time: number;
  lat: number;
  lng: number;
  alt: number | null;
  heading: number | null;
  satellites: number | null;
  speed: number;
  /** Along the track, from the tracker's first point on. */
  meters: number;
  /** Bit 0 is input 1; null: not told. */
  inputs: number | null;
  /** Of those that were asked for, what the device told. */
  attributes: Record<string, string | number | boolean> | null;
};

/** From where on to read, and how many of that moment have been read. */
export type PointCursor = { time: number; skip: number };

/** What is to be read of points besides where and when they are. */
export type PointSearch = { to: number; attributes: string[] };

/** That a tracker was in a zone, or at a place. */
export type ReportVisit = {
  thing_id: number;
  start_time: number;
  /** Of one that goes on beyond the range: its last point there. */
  end_time: number;
  goes_on: boolean;
  /** Where it was first seen there. */
  location: Position;
  length_meters: number;
};
export type VisitSearch = TimeRange & { thing: "zone" | "place"; ids: number[] };
/** Those of the things that the principal sees, and the visits to them in time order. */
export type ReportVisits = { things: { id: number; label: string; tags: number[] }[]; visits: ReportVisit[] };

/** How a position is called; empty where nobody lives. `areas`: the labels of places and zones that it is in. */
export type NamedPosition = { address: string; province: string; country: string; areas: string[] };
/** Whether positions are called by the places and by the zones that they are in. */
export type AreaKinds = { places: boolean; zones: boolean };
/** How positions are to be called. */
export type Naming = { locale: string; areas: AreaKinds };

/** What reports are made of. The tracker is the one whose points are shown. */
export interface ReportSource {
  /** The trips that touch the range, whole, but for lone reports. */
  tripsIn(principal: Principal, tracker_id: number, range: TimeRange & Naming): Promise<ReportTrip[]>;
  /** Some thousand points up to `to`, in time order; null behind the last. */
  pointsIn(
    feed: { account_id: number; tracker_id: number },
    from: PointCursor,
    search: PointSearch,
  ): Promise<{ points: ReportPoint[]; next: PointCursor | null }>;
  /** At most 50 things in one call. What the principal does not see is left out. */
  visitsIn(
    principal: Principal,
    feed: { account_id: number; tracker_id: number },
    search: VisitSearch,
  ): Promise<ReportVisits>;
  /** The places, at most 500, for which one of the employees is responsible. */
  placesOf(principal: Principal, employee_ids: number[]): Promise<number[]>;
  /** In the order of the positions, at most 500 in one call. */
  namesAt(principal: Principal, positions: Position[], naming: Naming): Promise<NamedPosition[]>;
  /** The areas alone, in the order of the positions, at most 500 in one call. */
  areasAt(principal: Principal, positions: Position[], areas: AreaKinds): Promise<string[][]>;
}

/** What a tracker is equipped with, and what it is on. */
export type Equipment = {
  gauges: Gauge[];
  vehicle: { label: string; norm: number | null; fuel_cost: number | null; max_speed: number | null } | null;
};

/** In kilometers; null where none is known. */
export type EquipmentThen = Equipment & { odometer: number | null };

export type ReportEvent = {
  id: number;
  time: number;
  event: EventName;
  message: string;
  location: Position | null;
  address: string;
  employee: string;
  /** Of the zones that it tells of. */
  zone_ids: number[];
  zone_labels: string[];
};

/** Somebody took the place of somebody else on a tracker; empty names: nobody. */
export type DriverShift = { id: number; time: number; location: AddressedPosition | null } & {
  driver_id: number | null;
  driver: string;
  before: string;
};

/** A tracker's work status became another; empty labels: none. */
export type StatusShift = {
  id: number;
  time: number;
  location: AddressedPosition | null;
  label: string;
  before: string;
};

/** When an employee was on a tracker. */
export type Assignment = TimeRange & { tracker_id: number };

/** Records of fleet. What the principal does not see is as if it were not. */
export interface ReportRecords {
  /** Null for a tracker that the principal does not see. */
  equipmentOf(principal: Principal, tracker_id: number): Promise<Equipment | null>;
  /** The same, and what the odometer showed at the moment. */
  equipmentThen(principal: Principal, tracker_id: number, time: number): Promise<EquipmentThen | null>;
  /** Events of these names, or of all. */
  eventsIn(principal: Principal, search: RecordSearch, events: EventName[] | null): Promise<RecordPage<ReportEvent>>;
  /** The first page begins with the shift that stood when the range began, if any. */
  driversIn(principal: Principal, search: RecordSearch): Promise<RecordPage<DriverShift>>;
  /** The first page begins with the status that stood when the range began, if any. */
  statusesIn(principal: Principal, search: RecordSearch): Promise<RecordPage<StatusShift>>;
  /** What the account's tags are called. */
  tagNames(principal: Principal, ids: number[]): Promise<{ id: number; name: string }[]>;
  /** Of the employees those that the principal sees. */
  employeesOf(principal: Principal, ids: number[]): Promise<{ id: number; name: string }[]>;
  /** On which trackers that the principal sees an employee was within the range, by time. */
  assignmentsOf(principal: Principal, employee_id: number, range: TimeRange): Promise<Assignment[]>;
}

export type ReportTask = {
  id: number;
  /** When it was to begin and to end. */
  time: number;
  to: number;
  label: string;
  description: string;
  status: string;
  external_id: string;
  location: AddressedPosition | null;
  arrived: number | null;
  stay_seconds: number;
  form: FilledForm | null;
};
export type ReportCheckin = {
  id: number;
  time: number;
  employee: string;
  location: AddressedPosition;
  comment: string;
  files: number;
  form: FilledForm | null;
};
/** A form with what it was filled in with: for each field its label and the value as text. */
export type FilledForm = {
  label: string;
  template_id: number;
  submitted: number | null;
  fields: FilledField[];
};
/** `options` are those of a field that offers some, `chosen` their places. */
export type FilledField = { label: string; value: string; options: string[]; chosen: number[] };

/** Work of trackers. What the principal does not see is as if it were not. */
export interface ReportWork {
  /** Tasks and checkpoints that were to begin within the range. */
  tasksIn(principal: Principal, search: RecordSearch): Promise<RecordPage<ReportTask>>;
  checkinsIn(principal: Principal, search: RecordSearch): Promise<RecordPage<ReportCheckin>>;
  /** Forms that were submitted within the range. */
  formsIn(principal: Principal, search: RecordSearch): Promise<RecordPage<FilledForm & { id: number; time: number }>>;
}
