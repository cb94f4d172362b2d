import type { AuditEntry } from "#shared/caller/audit.ts";
import type { Activity } from "#shared/contract/event/activity.ts";
import type { LastValues } from "#shared/contract/point/last-values.ts";
import type { MarkSearch, MeterMarks, MeterSearch, MeterValues } from "#shared/contract/point/meter.ts";
import type { Device } from "#shared/contract/tracker/device.ts";
import type { TargetsMessage } from "#shared/contract/tracker/retranslation.ts";
import type { Bounds } from "../point/bounds.ts";
import type { Facts } from "../point/facts.ts";
import type { FeedState } from "./feed-state.ts";
import type { MomentSearch, Moments } from "./moments.ts";
import type { OpenPoints } from "./open-points.ts";
import type { Refusal, Sender } from "./sender.ts";
import type { Movement, NumberedTrip, TripSettings } from "./trip.ts";

/** Durable Object with one tracker's points and the values derived from them, named by the tracker's id. */
export interface Feed {
  /** Stores the device's configuration; ignores one whose revision is older than the stored one. */
  configure(device: Device): Promise<void>;
  /** Sets the retranslators that receive points accepted from now on. */
  setTargets(message: TargetsMessage): Promise<void>;
  /** Sets the ingest key that devices must send; null: none is required. */
  setIngestKey(hash: string | null, entry: AuditEntry): Promise<void>;
  /** Why the feed would refuse `count` points of the sender; null: it would accept them. */
  refusal(sender: Sender, count: number): Promise<Refusal | null>;
  /** Stores points before it answers. `bytes` are valid, sorted points in raw form, rounded to stored precision. */
  accept(bytes: Uint8Array, sender: Sender, facts?: Facts | null): Promise<Acceptance>;
  /** Trips that touch [from, to], including the one under way. */
  trips(from: number, to: number): Promise<NumberedTrip[]>;
  /**
   * Open points of [from, to]. To be read before the chunks: points that a flush moves meanwhile are then read twice,
   * but never missed.
   */
  openPoints(from: number, to: number): Promise<OpenPoints>;
  /**
   * The trips and open points of [from, to] in one call. With `ids`: those of these trips that exist, and the open points
   * of [from, to] from the first of them to the last.
   */
  tripsWithOpenPoints(from: number, to: number, ids?: number[]): Promise<{ trips: NumberedTrip[]; opened: OpenPoints }>;
  /** A box around all points of [from, to], perhaps a larger one; null: no points. */
  extent(from: number, to: number): Promise<Bounds | null>;
  /** The largest error of fixes by cell towers that the feed accepts, in meters. */
  lbsRadiusMeters(): Promise<number>;
  /** Changes the largest error of fixes by cell towers for points accepted from now on. */
  setLbsRadiusMeters(radius: number, entry: AuditEntry): Promise<void>;
  /** The last known state. The caller passes `now`, so that all states of one answer are of one time. */
  state(now: number): Promise<TrackerCondition>;
  /**
   * Answers the state and sends its changes to the relay until `until`, or until the relay answers that it has no
   * subscribers.
   */
  subscribe(relay: string, until: number, now: number): Promise<TrackerCondition>;
  /** The last values of the device's attributes, by name. */
  lastValues(): Promise<LastValues>;
  /** The last point by satellite; null: none. */
  lastGpsPoint(): Promise<FeedState["last_fix"]>;
  /** The last position by satellite, for callers of this account; null for another account's tracker. */
  lastPositionFor(account_id: number): Promise<{ time: number; lat: number; lng: number } | null>;
  /** Evaluates rules about activities. An activity that is sent twice makes one event. */
  evaluateActivities(activities: Activity[]): Promise<void>;
  /** Counter quantities at some moments, taken from marks. */
  meterValues(search: MeterSearch): Promise<MeterValues>;
  /** Exact counter quantities at moments, and the points at which a range is cut. */
  momentValues(search: MomentSearch): Promise<Moments>;
  /** Counter quantities over a range, at most one moment for each hour. */
  meterMarks(search: MarkSearch): Promise<MeterMarks>;
  /** Marks the last point's time, so that a counter can start there exactly; null: no points. */
  pinMeter(): Promise<number | null>;
  /** The settings of trip detection. */
  settings(): Promise<TripSettings>;
  /** Changes the settings and recomputes all trips, also those of the past. */
  setSettings(settings: TripSettings, entry: AuditEntry): Promise<void>;
  /**
   * Moves lines from the shared journal into the feed's own journal, as far as they are needed, so that the shared row
   * can be deleted.
   */
  moveSharedLines(numbers: number[]): Promise<void>;
  /** Deletes the oldest chunks that end before the moment, one batch at a time. */
  forgetPoints(before: number): Promise<void>;
  /** Erases the feed for good. The call always fails, as the object aborts itself to drop its memory. */
  erase(): Promise<void>;
  /** Whether the storage is empty after `erase`. */
  isErased(): Promise<boolean>;
}

export type Acceptance = { accepted: number; duplicates: number } | { refused: Refusal };

export type TrackerCondition = FeedState & { movement: Movement | null; last_moved: number | null };
