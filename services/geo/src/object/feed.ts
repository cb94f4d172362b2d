import type { AuditEntry } from "#shared/caller/audit.ts";
import type { Activity } from "#shared/contract/activity.ts";
import type { Device } from "#shared/contract/device.ts";
import type { LastValues } from "#shared/contract/last-values.ts";
import type { MarkSearch, Metered, MeterMarks, MeterSearch } from "#shared/contract/meter.ts";
import type { TargetsMessage } from "#shared/contract/retranslation.ts";
import type { Bounds } from "../point/bounds.ts";
import type { Facts } from "../point/facts.ts";
import type { FeedState } from "./feed-state.ts";
import type { MomentSearch, Moments } from "./moments.ts";
import type { OpenPoints } from "./open-points.ts";
import type { Refusal, Sender } from "./sender.ts";
import type { Movement, NumberedTrip, TripSettings } from "./trip.ts";

/** The points of one tracker, and what follows from them. There is one for each tracker, named by its id. */
export interface Feed {
  /** An older word on the device changes nothing. */
  configure(device: Device): Promise<void>;
  /** Where points go besides, those accepted from now on. */
  setTargets(message: TargetsMessage): Promise<void>;
  /** The key that points must show from now on; null: the device's id alone will do. */
  setIngestKey(key: string | null, entry: AuditEntry): Promise<void>;
  /** Why so many points of the sender might not be taken now; null: they would. */
  refusal(sender: Sender, count: number): Promise<Refusal | null>;
  /** Once it has answered, the points are stored. `bytes` are sorted points in their raw form, valid and at stored precision. */
  accept(bytes: Uint8Array, sender: Sender, facts?: Facts | null): Promise<Acceptance>;
  /** The trips that touch [from, to], the one under way included. */
  trips(from: number, to: number): Promise<NumberedTrip[]>;
  /** Those of the ids that there are, the one under way included. */
  tripsById(ids: number[]): Promise<NumberedTrip[]>;
  /** To be read before the chunks: what a flush moves in the meantime is then seen twice, never missed. */
  openPoints(from: number, to: number): Promise<OpenPoints>;
  /** A box around all points of [from, to], perhaps a larger one; null: there are none. */
  extent(from: number, to: number): Promise<Bounds | null>;
  /** How many meters wrong a fix by cell towers may be. */
  lbsRadius(): Promise<number>;
  /** From now on. */
  setLbsRadius(radius: number, entry: AuditEntry): Promise<void>;
  /** What the tracker was last known to do. `now` is the caller's, so that one answer has one time. */
  state(now: number): Promise<TrackerCondition>;
  /** The same, and from now on the relay hears of changes, until it says that it does not listen, or that long. */
  subscribe(relay: string, until: number, now: number): Promise<TrackerCondition>;
  /** What the device told last beside its positions, by attribute. */
  lastValues(): Promise<LastValues>;
  /** The last point that no cell tower gave; null: there is none. */
  lastGpsPoint(): Promise<FeedState["last_fix"]>;
  /** The same for another tracker of the account; null for one of another account too. */
  lastPositionFor(account_id: number): Promise<{ time: number; lat: number; lng: number } | null>;
  /** Rules that watch such things tell of them; an activity that is told twice makes one event. */
  evaluateActivities(activities: Activity[]): Promise<void>;
  /** What has run up in the points by some moments. */
  meterValues(search: MeterSearch): Promise<Metered>;
  /** The same to the very point, and the points themselves at which something is cut. */
  momentValues(search: MomentSearch): Promise<Moments>;
  /** What has run up over a range, at most one moment for each hour. */
  meterMarks(search: MarkSearch): Promise<MeterMarks>;
  /** The last point's time, from which somebody is going to count; null without points. */
  pinMeter(): Promise<number | null>;
  /** By what trips are told apart. */
  settings(): Promise<TripSettings>;
  /** All trips are found again by the new settings, those of the past too. */
  setSettings(settings: TripSettings, entry: AuditEntry): Promise<void>;
  /** Lines of the shared journal that it keeps itself from now on, as far as it needs them. */
  moveSharedLines(numbers: number[]): Promise<void>;
  /** Of its chunks those that end before the moment: the oldest, as many as are removed at a time. */
  forgetPoints(before: number): Promise<void>;
  /** For good: nothing of the tracker is left here. It never answers, as the object ends with what it had in memory. */
  erase(): Promise<void>;
  /** Whether there is nothing left. */
  isErased(): Promise<boolean>;
}

export type Acceptance = { accepted: number; duplicates: number } | { refused: Refusal };

export type TrackerCondition = FeedState & { movement: Movement | null; last_moved: number | null };
