import type { Position } from "#shared/geometry/position.ts";
import type { Actor } from "../caller/audit.ts";
import type { Principal } from "../caller/principal.ts";
import type { Gauge, TrackerGauge } from "../telemetry/sensor.ts";
import type { NewEvent } from "./event/event.ts";
import type { Imported, TypedImport } from "./import-process.ts";
import type { Term } from "./point/meter.ts";
import type {
  ActivationCode,
  ActivationCodeSearch,
  Equipment,
  NewActivationCodes,
  NewBundles,
} from "./tracker/stock.ts";
import type { Feature, NewTariff, Tariff, TariffSearch } from "./tracker/tariff.ts";
import type { NewClone, PanelTracker, TrackerChanges, TrackerSearch } from "./tracker/tracker.ts";
import type { VisibleTracker } from "./tracker/visible-tracker.ts";

/** Look-up of trackers that a call names. */
export interface TrackerDirectory {
  /** The trackers with these ids; those that the principal does not see are left out. */
  trackersOf(principal: Principal, ids: number[]): Promise<VisibleTracker[]>;
}

/** All trackers of an account. */
export interface TrackerList {
  /** The trackers that the principal sees, at most `most`, lowest ids first. */
  allTrackers(principal: Principal, most: number): Promise<VisibleTracker[]>;
}

/** Tags of trackers. */
export interface TrackerTags {
  /** Those of the trackers that have one of the tags and that the principal sees. */
  taggedTrackers(principal: Principal, tag_ids: number[], tracker_ids: number[]): Promise<number[]>;
}

/** Sensors, as geo needs them to measure points. */
export interface SensorDirectory {
  /** A metering or virtual sensor of the tracker or its original: 201 for an unknown one, 228 for a discrete one. */
  gaugeOf(principal: Principal, tracker_id: number, sensor_id: number): Promise<FeedGauge>;
  /** The account's sensors among these ids, by id, with tracker, calibration curve and parts. */
  gaugesIn(account_id: number, sensor_ids: number[]): Promise<Record<number, TrackerGauge>>;
  /** The source of the tracker's engine hours: 214 without an ignition sensor, 219 for a clone. */
  ignitionOf(principal: Principal, tracker_id: number): Promise<Ignition>;
}

/** A sensor, the feed whose points it measures, and the storage period that limits what is visible. */
export type FeedGauge = {
  feed: { tracker_id: number; account_id: number };
  store_period: string;
  gauge: Gauge;
};

/** The source of ignition, the feed that it is read from, and the storage period that limits what is visible. */
export type Ignition = { feed_id: number; source: Term[]; store_period: string };

/** Permissions that follow from the tariffs of an account's trackers. */
export interface TariffTerms {
  /** Maps that the tariff of at least one tracker allows. */
  allowedMaps(principal: Principal): Promise<string[]>;
  /** Whether all of the principal's trackers have the feature, and which of `ids` the principal sees. */
  accessOf(principal: Principal, feature: Feature, ids?: number[]): Promise<Access>;
  /** Whether any tracker has the feature; without trackers, whether the account's default tariff has it. */
  isFeatureOffered(principal: Principal, feature: Feature): Promise<boolean>;
}

export type Access = { allowed: boolean; known: number[] };

/** Tags and employees to which places and zones refer. */
export interface PlaceLinks {
  /** The tags that exist, and the employees that the principal sees. */
  existingLinks(principal: Principal, links: TagsAndEmployees): Promise<TagsAndEmployees>;
  /** For a batch: the tags with these names, and the employees that the principal sees. */
  rowLinks(principal: Principal, named: NamedLinks): Promise<RowLinks>;
  /**
   * Names by which lists are searched and sorted: all tags of the account, and per text the employees whose names
   * contain it.
   */
  namesOf(principal: Principal, texts: string[]): Promise<LinkNames>;
}

/** Tag names are folded. `employees` holds the ids that the principal sees, in the order of the texts. */
export type LinkNames = { tags: { id: number; folded: string }[]; employees: number[][] };

/** Names of tags and ids of employees, as the rows of a batch give them. */
export type NamedLinks = { tag_names: string[]; employees: number[] };
export type RowLinks = { tags: { id: number; name: string }[]; employees: number[] };

export type TagsAndEmployees = { tags: number[]; employees: number[] };

/** Trackers, tags, employees and vehicles to which tasks refer. */
export interface TaskLinks {
  /** The trackers and tags that the principal may refer to. */
  linksOf(principal: Principal, trackers: number[], tags: number[]): Promise<TrackersAndTags>;
  /** The trackers without the feature, and the tags that exist. */
  findTrackersLacking(principal: Principal, feature: Feature, tags: number[]): Promise<LackingTrackers>;
  /**
   * JSON of the employees on the trackers that the principal sees: tracker, employee, and the name by which lists are
   * sorted.
   */
  readCrew(principal: Principal): Promise<string>;
  /**
   * For a batch: the trackers, employees and vehicles that its rows name and that may be given work under the feature.
   */
  performersOf(principal: Principal, feature: Feature, search: PerformerSearch): Promise<Performers>;
  /** JSON of `RosterEntry`s: employee and vehicle of the given trackers, or of all that the principal sees. */
  readRoster(principal: Principal, trackers?: number[]): Promise<string>;
  /** Clones that the principal sees, each with its original. */
  feedsOfClones(principal: Principal): Promise<CloneFeed[]>;
  /** The trackers that the principal sees, with employee and vehicle. */
  staffedTrackers(principal: Principal, trackers: number[]): Promise<StaffedTracker[]>;
}

/** `tracker_id`: the clone; `feed_id`: the tracker whose points it shows. */
export type CloneFeed = { tracker_id: number; feed_id: number };

/** Members of a `RosterEntry`. */
export const ROSTER = [
  "tracker_id",
  "label",
  "label_folded",
  "employee_id",
  "first_name",
  "middle_name",
  "last_name",
  "name_folded",
  "vehicle_id",
  "vehicle_label",
  "vehicle_label_folded",
] as const;
/** A tracker with its employee and vehicle, null when there is none. The folded names are for searches. */
export type RosterEntry = Record<Exclude<(typeof ROSTER)[number], `${string}_id`>, string | null> & {
  tracker_id: number;
  employee_id: number | null;
  vehicle_id: number | null;
};

/** A tracker with its employee and the label of its vehicle. */
export type StaffedTracker = VisibleTracker & {
  employee: (Pick<RosterEntry, "first_name" | "middle_name" | "last_name" | "name_folded"> & { id: number }) | null;
  vehicle_label: string | null;
};

/** `names` are labels of trackers, or names of employees in any order of first, middle and last name. */
export type PerformerSearch = { names: string[]; employee_ids: number[]; vehicle_ids: number[] };
export type Performers = {
  /**
   * Trackers that a name matches and that may be given work, at most two per name: two mean that the name is ambiguous.
   */
  named: { name: string; tracker_ids: number[] }[];
  employees: Performer[];
  vehicles: Performer[];
};
/**
 * An employee or vehicle that the principal sees. `tracker_id` is null when it has no tracker that may be given work.
 */
export type Performer = {
  id: number;
  tracker_id: number | null;
  /** `own` is its own position; `parent` that of its department or garage. */
  own: Position | null;
  parent: Position | null;
};

export type LackingTrackers = { trackers: number[]; tags: number[] };
export type TrackersAndTags = { trackers: VisibleTracker[]; tags: number[] };

/** Storage periods, for the service that keeps points. */
export interface StorageTerms {
  /** Storage periods by tracker id, in any account and of removed trackers too; unknown ids are left out. */
  storagePeriodsOf(tracker_ids: number[]): Promise<Record<number, string>>;
}

/** The event history. */
export interface EventStore {
  /** Stores events of any service. An event that is delivered twice is stored once. At most 500 in one call. */
  storeEvents(events: NewEvent[]): Promise<void>;
  /** The number of the tracker's events in each range, both ends included, among those that the principal sees. */
  countEvents(principal: Principal, tracker_id: number, ranges: [from: number, to: number][]): Promise<number[]>;
  /** Addresses of the first 10,000 events of the tracker in the range that the principal sees. */
  eventAddresses(
    principal: Principal,
    tracker_id: number,
    range: { from: number; to: number },
  ): Promise<AddressedEvent[]>;
}

/** `time` in UTC milliseconds. */
export type AddressedEvent = { time: number; address: string };

/** An operator's access to the tariffs of its dealer. */
export interface TariffStore {
  /** Returns the new id; 244 when the dealer has a tariff of this name. */
  createTariff(principal: Principal, tariff: NewTariff): Promise<number>;
  /** Absent members stay. 201 for an unknown tariff, 244 when another one has the name. */
  updateTariff(principal: Principal, id: number, changes: Partial<NewTariff>): Promise<void>;
  /** 201 for an unknown tariff. */
  readTariff(principal: Principal, id: number): Promise<Tariff>;
  /** A page of the tariffs found, and their number. */
  listTariffs(principal: Principal, search: TariffSearch): Promise<{ list: Tariff[]; count: number }>;
  /** Undefined for an unknown tariff. */
  findTariff(principal: Principal, id: number): Promise<Tariff | undefined>;
}

/** An operator's access to the trackers of its users. Changing a removed tracker is 252. */
export interface TrackerPanel {
  /** A page of the trackers found, and their number. */
  listTrackers(principal: Principal, search: TrackerSearch): Promise<{ trackers: PanelTracker[]; count: number }>;
  /** Answers removed trackers too; 201 for an unknown one. */
  readTracker(principal: Principal, tracker_id: number): Promise<PanelTracker>;
  /** Absent members stay. */
  changeTracker(principal: Principal, tracker_id: number, changes: TrackerChanges, actor: Actor): Promise<void>;
  /** The new tariff applies at once; 221 when it allows no further device. */
  changeTariff(principal: Principal, tracker_id: number, tariff_id: number, actor: Actor): Promise<void>;
  /** Blocks or unblocks the device. Geo has stored it before this returns: no later point is accepted. */
  blockSource(principal: Principal, tracker_id: number, blocked: boolean, actor: Actor): Promise<void>;
  /** Returns the clone's id. The caller has checked that the account exists. */
  cloneTracker(principal: Principal, clone: NewClone, actor: Actor): Promise<number>;
  /** False when the tracker was removed before; the removal is then delivered to geo again, in case geo missed it. */
  removeTracker(principal: Principal, tracker_id: number, withClones: boolean, actor: Actor): Promise<boolean>;
  /** Number of trackers by account; accounts without trackers are left out. */
  countTrackers(accounts: number[]): Promise<Record<number, number>>;
}

/** Trackers of an account that is being removed. */
export interface TrackerOwners {
  /** Ids of clones in other accounts of this account's trackers. */
  clonesOf(principal: Principal, account_id: number): Promise<number[]>;
  /** Removes fleet's records of the account without checking rights. False when nothing was left. */
  removeAccount(account_id: number): Promise<boolean>;
}

/** An operator's access to devices and activation codes that its dealer sells. */
export interface DeviceStock {
  /** Device models that can be imported as bundles. */
  listEquipment(): Promise<Equipment[]>;
  /** Imports all bundles, or none with 247 and the IMEIs that exist already. */
  importBundles(principal: Principal, bundles: NewBundles, now: number): Promise<void>;
  /** Returns the number of codes created; 201 when the dealer has no such tariff. */
  createCodes(principal: Principal, codes: NewActivationCodes, now: number): Promise<number>;
  /** A page of the dealer's codes, oldest first, and their number. */
  listCodes(principal: Principal, search: ActivationCodeSearch): Promise<{ list: ActivationCode[]; count: number }>;
}

/** States of imports. */
export interface ImportDirectory {
  /** A page of imports with ids above `after` that are not dismissed. */
  listImports(
    principal: Principal,
    types: readonly Imported[],
    after: number,
  ): Promise<{ items: TypedImport[]; isLast: boolean }>;
  /** 201 for an import that the principal does not see. */
  readImport(principal: Principal, type: Imported, id: number): Promise<TypedImport>;
}
