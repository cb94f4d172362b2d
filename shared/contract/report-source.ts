import type { Position } from "#shared/geometry/position.ts";
import type { Principal } from "../caller/principal.ts";
import type { Gauge } from "../telemetry/sensor.ts";
import type { EventName } from "./event/event.ts";

type AddressedPosition = Position & { address: string };
/** `areas`: labels of the reader's places and zones that contain the position. */
type AreaPosition = AddressedPosition & { areas: string[] };
type TimeRange = { from: number; to: number };
/** One tracker's records of a range behind the cursor `after`. UTC milliseconds. */
export type RecordSearch = TimeRange & { tracker_id: number; after: RecordCursor | null };
/** Time and id of the last record that was read. */
export type RecordCursor = { time: number; id: number };
/** Items in time order; `next` is null on the last page. */
export type RecordPage<Item> = { items: Item[]; next: RecordCursor | null };

/** A trip of a report. UTC milliseconds, km/h. */
export type ReportTrip = {
  /** The id that `track/list` shows. */
  id: number;
  start_time: number;
  end_time: number;
  start: AreaPosition;
  end: AreaPosition;
  length_meters: number;
  max_speed_kmh: number;
  /** Number of points of the trip. */
  points: number;
  /** True for a trip that the smart filter leaves out: fewer than four points, or hardly any distance. */
  is_short: boolean;
};

/** A point of a report; `speed` as the device sent it. */
export type ReportPoint = {
  time: number;
  lat: number;
  lng: number;
  alt: number | null;
  heading: number | null;
  satellites: number | null;
  speed: number;
  /** Distance along the track from the tracker's first point. */
  meters: number;
  /** Bit 0 is input 1; null when the device did not send inputs. */
  inputs: number | null;
  /** The requested attributes that the device sent. */
  attributes: Record<string, string | number | boolean> | null;
};

/** The time to read from, and how many points of that time have been read already. */
export type PointCursor = { time: number; skip: number };

/** The end of the range, and the attributes to read. */
export type PointSearch = { to: number; attributes: string[] };

/** A stay of a tracker in a zone or place. */
export type ReportVisit = {
  thing_id: number;
  start_time: number;
  /** For a visit that goes on beyond the range: its last point within the range. */
  end_time: number;
  is_ongoing: boolean;
  /** The first point of the visit. */
  location: Position;
  length_meters: number;
};
export type VisitSearch = TimeRange & { thing: "zone" | "place"; ids: number[] };
/** The zones or places that the principal sees, and the visits to them in time order. */
export type ReportVisits = { things: { id: number; label: string; tags: number[] }[]; visits: ReportVisit[] };

/**
 * The name of a position; texts are empty for uninhabited regions. `areas`: labels of the places and zones that contain
 * it.
 */
export type NamedPosition = { address: string; province: string; country: string; areas: string[] };
/** Whether positions are named by places, and by zones. */
export type AreaKinds = { places: boolean; zones: boolean };
/** Language and areas by which positions are named. */
export type Naming = { locale: string; areas: AreaKinds };

/** Points and places from which reports are made. `tracker_id` is the tracker whose points are shown. */
export interface ReportSource {
  /** The trips that touch the range. Trips are whole; lone points only when they lie within it. */
  tripsIn(principal: Principal, tracker_id: number, range: TimeRange & Naming): Promise<ReportTrip[]>;
  /** A page of some thousand points up to `to`, in time order; `next` is null on the last page. */
  pointsIn(
    feed: { account_id: number; tracker_id: number },
    from: PointCursor,
    search: PointSearch,
  ): Promise<{ points: ReportPoint[]; next: PointCursor | null }>;
  /** Visits to at most 50 zones or places; those that the principal does not see are left out. */
  visitsIn(
    principal: Principal,
    feed: { account_id: number; tracker_id: number },
    search: VisitSearch,
  ): Promise<ReportVisits>;
  /** At most 500 places for which one of the employees is responsible. */
  responsiblePlaces(principal: Principal, employee_ids: number[]): Promise<number[]>;
  /** Names in the order of at most 500 positions. */
  namesAt(principal: Principal, positions: Position[], naming: Naming): Promise<NamedPosition[]>;
  /** Labels of areas in the order of at most 500 positions. */
  areaLabelsAt(principal: Principal, positions: Position[], areas: AreaKinds): Promise<string[][]>;
}

/** Sensors and vehicle of a tracker. */
export type Equipment = {
  gauges: Gauge[];
  vehicle: { label: string; norm: number | null; fuel_cost: number | null; max_speed: number | null } | null;
};

/** `odometer` in kilometers; null when unknown. */
export type EquipmentAtTime = Equipment & { odometer: number | null };

export type ReportEvent = {
  id: number;
  time: number;
  event: EventName;
  message: string;
  location: Position | null;
  address: string;
  employee: string;
  /** Zones that the event is about. */
  zone_ids: number[];
  zone_labels: string[];
};

/** A change of the driver on a tracker; an empty name: no driver. */
export type DriverShift = { id: number; time: number; location: AddressedPosition | null } & {
  driver_id: number | null;
  driver: string;
  before: string;
};

/** A change of a tracker's work status; an empty label: no status. */
export type StatusShift = {
  id: number;
  time: number;
  location: AddressedPosition | null;
  label: string;
  before: string;
};

/** A period during which an employee was on a tracker. */
export type Assignment = TimeRange & { tracker_id: number };

/** Fleet's records for reports. Trackers and employees that the principal does not see are treated as unknown. */
export interface ReportRecords {
  /** Null when the principal does not see the tracker. */
  equipmentOf(principal: Principal, tracker_id: number): Promise<Equipment | null>;
  /** Like `equipmentOf`, with the odometer at `time`. */
  equipmentAt(principal: Principal, tracker_id: number, time: number): Promise<EquipmentAtTime | null>;
  /** Events with these names; null: all events. */
  eventsIn(principal: Principal, search: RecordSearch, events: EventName[] | null): Promise<RecordPage<ReportEvent>>;
  /** The first page begins with the driver change in force at the start of the range, if any. */
  driversIn(principal: Principal, search: RecordSearch): Promise<RecordPage<DriverShift>>;
  /** The first page begins with the status in force at the start of the range, if any. */
  statusesIn(principal: Principal, search: RecordSearch): Promise<RecordPage<StatusShift>>;
  /** Names of the account's tags. */
  tagNames(principal: Principal, ids: number[]): Promise<{ id: number; name: string }[]>;
  /** The employees that the principal sees. */
  employeesOf(principal: Principal, ids: number[]): Promise<{ id: number; name: string }[]>;
  /** Periods of the range during which the employee was on trackers that the principal sees, in time order. */
  assignmentsOf(principal: Principal, employee_id: number, range: TimeRange): Promise<Assignment[]>;
}

export type ReportTask = {
  id: number;
  /** Planned start; `to` is the planned end. */
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
/** A filled-in form: label and value of each field as text. */
export type FilledForm = {
  label: string;
  template_id: number;
  submitted: number | null;
  fields: FilledField[];
};
/** `options` of a choice field; `chosen` are indexes of options. */
export type FilledField = { label: string; value: string; options: string[]; chosen: number[] };

/** Records of tasks for reports. Trackers that the principal does not see are treated as unknown. */
export interface ReportWork {
  /** Tasks and checkpoints whose planned start lies within the range. */
  tasksIn(principal: Principal, search: RecordSearch): Promise<RecordPage<ReportTask>>;
  checkinsIn(principal: Principal, search: RecordSearch): Promise<RecordPage<ReportCheckin>>;
  /** Forms submitted within the range. */
  formsIn(principal: Principal, search: RecordSearch): Promise<RecordPage<FilledForm & { id: number; time: number }>>;
}
