import type { Activity } from "./activity.ts";
import type { Device } from "./device.ts";
import type { DeviceRequest } from "./device-request.ts";
import type { Drives } from "./drive.ts";
import type { LastReadings } from "./last-readings.ts";
import type { MarkSearch, Metered, MeterMarks, MeterSearch } from "./meter.ts";
import type { RemovedUser } from "./removal.ts";
import type { RetranslationStatus, TargetsMessage } from "./retranslation.ts";
import type { TagCarrier } from "./tag.ts";

/** Where devices turn up with their points. */
export interface Ingest {
  /** A device has no hash: its id and its key are what it shows. What goes wrong is an answer too. */
  ingest(request: DeviceRequest, request_id: string): Promise<{ status: number; body: string }>;
}

/** By which points find their tracker. */
export interface DeviceRegister {
  /** New or changed devices: once it has answered, their points find the tracker and their feeds know the change. */
  putDevices(devices: Device[]): Promise<void>;
}

/** What devices told. */
export interface DeviceReadings {
  /** What they told last, by the ids of their trackers. */
  readingsOf(tracker_ids: number[]): Promise<Record<number, LastReadings>>;
  /** The last point that no cell tower gave; null: there is none. */
  lastGpsPoint(tracker_id: number): Promise<{ lat: number; lng: number; time: number } | null>;
}

/** For operators. */
export interface ConnectionTimes {
  /** When trackers were last heard of, by their ids; null: never. */
  lastConnections(tracker_ids: number[]): Promise<Record<number, number | null>>;
}

/** What runs up in points, for whoever counts by it. Feeds are named by the ids of their trackers. */
export interface Meters {
  /** What has run up by the moments that each search names, by feed. */
  metersAt(searches: [tracker_id: number, search: MeterSearch][]): Promise<Record<number, Metered>>;
  /** The same for sweeps: undefined for feeds that fail. */
  meteredWherePossible(
    searches: [tracker_id: number, search: MeterSearch][],
  ): Promise<Record<number, Metered | undefined>>;
  /** The same, and what had run up to the very point before a moment; null where nothing had. */
  meteredAt(
    tracker_id: number,
    search: MeterSearch,
    time: number,
  ): Promise<{ metered: Metered; values: number[] | null }>;
  /** The same over a range, an hour after the other. */
  meterMarks(tracker_id: number, search: MarkSearch): Promise<MeterMarks>;
  /** The times of the last points, from which somebody is going to count; null without points. */
  pinMeters(tracker_ids: number[]): Promise<Record<number, number | null>>;
  /** A tracker's tracks, cut at these moments, and what a counter needs for its values at their ends; addresses by locale. */
  drivesOf(
    tracker_id: number,
    range: { from: number; to: number; locale: string },
    cuts: number[],
    counted: MeterSearch | null,
  ): Promise<Drives>;
}

/** Where points go besides. */
export interface Forwarding {
  /** Once it has answered, the feeds know all their targets; an older word changes nothing. */
  putTargets(words: TargetsMessage[]): Promise<void>;
  /** Of all retranslators of the account that anything was to be sent to. */
  retranslationStatuses(account_id: number): Promise<RetranslationStatus[]>;
}

/** What rules watch besides points. */
export interface RuleCauses {
  /** Rules that watch such things tell of them. What is told twice makes one event. At most 500 in one call. */
  followActivities(activities: Activity[]): Promise<void>;
  /** Sensors of these accounts have changed: rules that watch them go by what they are, from the next point on. */
  forgetGauges(account_ids: number[]): Promise<void>;
}

/** What is kept of users. */
export interface UserRecords {
  /** Masters, with all that was theirs, and sub-users that are removed; told twice, it changes nothing. */
  forgetUsers(users: RemovedUser[]): Promise<void>;
}

/** What is kept of trackers. */
export interface TrackerRecords {
  /** All that is here of removed trackers of the account: points, devices, feeds. Told twice, it changes nothing. */
  eraseTrackers(account_id: number, tracker_ids: number[]): Promise<void>;
}

/** Tags of places and zones. */
export type PlaceTags = TagCarrier<"place" | "zone">;
