import type { SerializedAnswer } from "../operation/declaration.ts";
import type { Activity } from "./event/activity.ts";
import type { Drives } from "./point/drive.ts";
import type { LastReadings } from "./point/last-readings.ts";
import type { MarkSearch, MeterMarks, MeterSearch, MeterValues } from "./point/meter.ts";
import type { RemovedUser } from "./removal.ts";
import type { TagCarrier } from "./tag.ts";
import type { Device } from "./tracker/device.ts";
import type { DeviceRequest } from "./tracker/device-request.ts";
import type { RetranslationStatus, TargetsMessage } from "./tracker/retranslation.ts";

/** Points that devices send. */
export interface Ingest {
  /** Takes a device's request. A device shows its id and key instead of a hash. Failures are answers, too. */
  ingest(request: DeviceRequest, request_id: string): Promise<SerializedAnswer>;
}

/** Devices by which geo finds the tracker of a point. */
export interface DeviceRegister {
  /** Stores new or changed devices. Once it has answered, points find the tracker and its feed knows the change. */
  putDevices(devices: Device[]): Promise<void>;
}

/** The last values that devices sent. */
export interface DeviceReadings {
  /** The last readings, by tracker id. */
  readingsOf(tracker_ids: number[]): Promise<Record<number, LastReadings>>;
  /** The last point that does not come from a cell tower (LBS); null without one. */
  lastGpsPoint(tracker_id: number): Promise<{ lat: number; lng: number; time: number } | null>;
}

/** Connection times of trackers, for operators. */
export interface ConnectionTimes {
  /** The time of the last message of each tracker, by id; null: never. */
  lastConnections(tracker_ids: number[]): Promise<Record<number, number | null>>;
}

/** Quantities that add up along the points of a tracker (meters, hours, sums). The ids are those of feeds. */
export interface Meters {
  /** The quantities at the times of each search, by tracker id. */
  meterValues(searches: [tracker_id: number, search: MeterSearch][]): Promise<Record<number, MeterValues>>;
  /** Like `meterValues`, for sweeps: a feed that fails is undefined instead of failing the whole call. */
  meterValuesOfReachable(
    searches: [tracker_id: number, search: MeterSearch][],
  ): Promise<Record<number, MeterValues | undefined>>;
  /**
   * The counter values over a search's times, and the values at the last point before `time` (null without such a
   * point).
   */
  meterValuesAt(
    tracker_id: number,
    search: MeterSearch,
    time: number,
  ): Promise<{ metered: MeterValues; values: number[] | null }>;
  /** Quantities over a range, at most one moment per hour. */
  meterMarks(tracker_id: number, search: MarkSearch): Promise<MeterMarks>;
  /** The time of each tracker's last point, from which a counter is going to count; null without points. */
  pinMeters(tracker_ids: number[]): Promise<Record<number, number | null>>;
  /**
   * A tracker's tracks, cut at the given moments, with the quantities that a counter needs at their ends. Addresses are
   * in `locale`.
   */
  drivesOf(
    tracker_id: number,
    range: { from: number; to: number; locale: string },
    cuts: number[],
    counted: MeterSearch | null,
  ): Promise<Drives>;
}

/** Forwarding of points to retranslators. */
export interface Forwarding {
  /** Stores all targets of each tracker. A message with a lower revision than the stored one is ignored. */
  putTargets(words: TargetsMessage[]): Promise<void>;
  /** The state of all retranslators of the account that points were forwarded to. */
  retranslationStatuses(account_id: number): Promise<RetranslationStatus[]>;
}

/** Causes of rule events besides points. */
export interface RuleCauses {
  /**
   * Evaluates the rules that watch these activities. An activity that is delivered twice makes one event. At most 500
   * in one call.
   */
  evaluateActivities(activities: Activity[]): Promise<void>;
  /** Drops cached sensors of these accounts: from the next point on, rules read their current definition. */
  invalidateGauges(account_ids: number[]): Promise<void>;
}

/** Records of users in geo. */
export interface UserRecords {
  /** Removes the records of removed masters and sub-users. Idempotent. */
  deleteUserRecords(users: RemovedUser[]): Promise<void>;
}

/** Records of trackers in geo. */
export interface TrackerRecords {
  /** Removes points, devices and feeds of removed trackers of the account. Idempotent. */
  eraseTrackers(account_id: number, tracker_ids: number[]): Promise<void>;
}

/** Tags of places and zones. */
export type PlaceTags = TagCarrier<"place" | "zone">;
