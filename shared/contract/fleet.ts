import type { Actor } from "../caller/audit.ts";
import type { Principal } from "../caller/principal.ts";
import type { Gauge, TrackerGauge } from "../telemetry/sensor.ts";
import type { NewEvent } from "./event.ts";
import type { Position } from "./geocoder.ts";
import type { Imported, TypedImport } from "./import-process.ts";
import type { Term } from "./meter.ts";
import type { ActivationCode, ActivationCodeSearch, Equipment, NewActivationCodes, NewBundles } from "./stock.ts";
import type { Feature, NewTariff, Tariff, TariffSearch } from "./tariff.ts";
import type { NewClone, PanelTracker, TrackerChanges, TrackerSearch } from "./tracker.ts";
import type { VisibleTracker } from "./visible-tracker.ts";

/** For whoever answers calls that name trackers. */
export interface TrackerDirectory {
  /** All ids in one call; what the principal may not see is left out. */
  trackersOf(principal: Principal, ids: number[]): Promise<VisibleTracker[]>;
}

/** For whoever follows an account. */
export interface TrackerCensus {
  /** All that the principal sees, those with the lowest ids where there are more than `most`. */
  allTrackers(principal: Principal, most: number): Promise<VisibleTracker[]>;
}

/** For whoever has the points: by what they are measured. */
export interface Gauges {
  /** A metering or virtual sensor of the tracker or its original: 201 where there is none, 228 for a discrete one. */
  gaugeOf(principal: Principal, tracker_id: number, sensor_id: number): Promise<FeedGauge>;
  /** Those of the sensors that there are in the account, by id, with their trackers, curves and parts. */
  gaugesIn(account_id: number, sensor_ids: number[]): Promise<Record<number, TrackerGauge>>;
  /** By what the tracker's engine hours are counted: 214 for one without an ignition, 219 for a clone. */
  ignitionOf(principal: Principal, tracker_id: number): Promise<Ignition>;
}

/** A sensor, whose points it measures, and how far back they are shown. */
export type FeedGauge = {
  feed: { tracker_id: number; account_id: number };
  store_period: string;
  gauge: Gauge;
};

/** What an ignition is told by, whose points tell it, and how far back they are shown. */
export type Ignition = { feed_id: number; source: Term[]; store_period: string };

/** What the tariffs of an account's trackers allow. */
export interface TariffTerms {
  /** The maps that any of them allows. */
  allowedMaps(principal: Principal): Promise<string[]>;
  /** Whether all trackers have the feature, and which of the ids are trackers that the principal sees. */
  accessOf(principal: Principal, feature: Feature, ids?: number[]): Promise<Access>;
  /** Whether any tracker has the feature; where there is no tracker, the tariff of new ones. */
  offers(principal: Principal, feature: Feature): Promise<boolean>;
}

export type Access = { allowed: boolean; known: number[] };

/** For things of geo, which carry tags and name employees. */
export interface PlaceLinks {
  /** Those of the tags and employees that there are; of employees, that the principal sees. */
  existingLinks(principal: Principal, links: TagsAndEmployees): Promise<TagsAndEmployees>;
  /** For a batch: the tags that have these names, by id, and those of the employees that there are and the principal sees. */
  rowLinks(principal: Principal, named: NamedLinks): Promise<RowLinks>;
  /** By what lists are searched and sorted: the account's tags, and for each text the employees whose names contain it. */
  namesOf(principal: Principal, texts: string[]): Promise<LinkNames>;
}

/** Names are folded. The employees are ids, such as the principal sees, in the order of the texts. */
export type LinkNames = { tags: { id: number; folded: string }[]; employees: number[][] };

/** Names of tags and ids of employees, as rows have them. */
export type NamedLinks = { tag_names: string[]; employees: number[] };
export type RowLinks = { tags: { id: number; name: string }[]; employees: number[] };

export type TagsAndEmployees = { tags: number[]; employees: number[] };

/** For tasks, which are given to trackers and carry tags. */
export interface TaskLinks {
  /** Those of the trackers and tags that the principal may refer to. */
  linksOf(principal: Principal, trackers: number[], tags: number[]): Promise<TrackersAndTags>;
  /** The trackers that lack the feature, and those of the tags that there are. */
  lackingOf(principal: Principal, feature: Feature, tags: number[]): Promise<LackingTrackers>;
  /** Who is on the trackers that the principal sees: JSON of tracker, employee and the name to sort lists by. */
  crewOf(principal: Principal): Promise<string>;
  /** For a batch: whom its rows name, and who of the ids may be given work that needs the feature. */
  performersOf(principal: Principal, feature: Feature, search: PerformerSearch): Promise<Performers>;
  /** Who and what is on trackers that the principal sees, on these or on all: JSON of `RosterEntry`s. */
  rosterOf(principal: Principal, trackers?: number[]): Promise<string>;
  /** The clones that the principal sees, each with the tracker whose points it shows. */
  feedsOfClones(principal: Principal): Promise<CloneFeed[]>;
  /** Those of the trackers that the principal sees, and who and what is on them. */
  staffedTrackers(principal: Principal, trackers: number[]): Promise<StaffedTracker[]>;
}

/** By the ids of trackers. */
export type CloneFeed = { tracker_id: number; feed_id: number };

/** What a `RosterEntry` has, by name. */
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
/** A tracker, its employee and its vehicle, null where it has none; what is folded is for searches. */
export type RosterEntry = Record<Exclude<(typeof ROSTER)[number], `${string}_id`>, string | null> & {
  tracker_id: number;
  employee_id: number | null;
  vehicle_id: number | null;
};

/** With its employee and the label of its vehicle. */
export type StaffedTracker = VisibleTracker & {
  employee: (Pick<RosterEntry, "first_name" | "middle_name" | "last_name" | "name_folded"> & { id: number }) | null;
  vehicle_label: string | null;
};

/** The names are labels of trackers, and names of employees whatever the order of their parts. */
export type PerformerSearch = { names: string[]; employee_ids: number[]; vehicle_ids: number[] };
export type Performers = {
  /** Of those names that are anybody's, the trackers that may be given work; of more than two, two. */
  named: { name: string; tracker_ids: number[] }[];
  employees: Performer[];
  vehicles: Performer[];
};
/** An employee or a vehicle that the principal sees. Without a tracker that may be given work, that is null. */
export type Performer = {
  id: number;
  tracker_id: number | null;
  /** Its own place, and that of its department or garage. */
  own: Position | null;
  parent: Position | null;
};

export type LackingTrackers = { trackers: number[]; tags: number[] };
export type TrackersAndTags = { trackers: VisibleTracker[]; tags: number[] };

/** For whoever keeps what trackers tell. */
export interface StorageTerms {
  /** Of any account, and of removed trackers too, by id; trackers that nothing is known of are left out. */
  storePeriodsOf(tracker_ids: number[]): Promise<Record<number, string>>;
}

/** Where history is kept. */
export interface EventStore {
  /** From whoever produces them; what is told twice is stored once. At most 500 in one call. */
  storeEvents(events: NewEvent[]): Promise<void>;
  /** How many events of the tracker, of those that the principal sees, fell into each of the ranges, ends included. */
  countEvents(principal: Principal, tracker_id: number, ranges: [from: number, to: number][]): Promise<number[]>;
  /** Where the tracker's events of the range happened, of those that the principal sees: the first 10,000. */
  eventAddresses(
    principal: Principal,
    tracker_id: number,
    range: { from: number; to: number },
  ): Promise<AddressedEvent[]>;
}

/** `time` in UTC milliseconds. */
export type AddressedEvent = { time: number; address: string };

/** For operators: the tariffs of their dealer. */
export interface TariffStore {
  /** Its id; 244 where the dealer has one of that name. */
  createTariff(principal: Principal, tariff: NewTariff): Promise<number>;
  /** What is left out stays; 201 where there is none, 244 where another has the name. */
  updateTariff(principal: Principal, id: number, changes: Partial<NewTariff>): Promise<void>;
  /** 201 where there is none. */
  readTariff(principal: Principal, id: number): Promise<Tariff>;
  /** A page of those that are looked for, and how many there are. */
  listTariffs(principal: Principal, search: TariffSearch): Promise<{ list: Tariff[]; count: number }>;
  /** Undefined where there is none. */
  findTariff(principal: Principal, id: number): Promise<Tariff | undefined>;
}

/** For operators: the trackers of their users. What was removed is 252 for whoever would change it. */
export interface TrackerPanel {
  /** A page of those that are looked for, and how many there are. */
  listTrackers(principal: Principal, search: TrackerSearch): Promise<{ trackers: PanelTracker[]; count: number }>;
  /** A removed one too; 201 where there is none. */
  readTracker(principal: Principal, tracker_id: number): Promise<PanelTracker>;
  /** What is left out stays. */
  changeTracker(principal: Principal, tracker_id: number, changes: TrackerChanges, actor: Actor): Promise<void>;
  /** The new tariff counts at once; 221 where it has no room for one more device. */
  changeTariff(principal: Principal, tracker_id: number, tariff_id: number, actor: Actor): Promise<void>;
  /** Geo knows of it before the operator's answer: no point gets in after it. */
  blockSource(principal: Principal, tracker_id: number, blocked: boolean, actor: Actor): Promise<void>;
  /** The clone's id. That the account exists, the caller has seen to. */
  cloneTracker(principal: Principal, clone: NewClone, actor: Actor): Promise<number>;
  /** False: a call before removed it already; geo is told again, should it not know yet. */
  removeTracker(principal: Principal, tracker_id: number, withClones: boolean, actor: Actor): Promise<boolean>;
  /** How many trackers each of the accounts has, by id; one without trackers is left out. */
  countTrackers(accounts: number[]): Promise<Record<number, number>>;
}

/** For the removal of a user. */
export interface TrackerOwners {
  /** The clones, in other accounts, of the account's trackers. */
  clonesOf(principal: Principal, account_id: number): Promise<number[]>;
  /** Of an account that is removed, so nobody's rights are asked. False: there was nothing left of it. */
  removeAccount(account_id: number): Promise<boolean>;
}

/** For operators: what their dealer sells. */
export interface DeviceStock {
  /** What may be imported as bundles. */
  listEquipment(): Promise<Equipment[]>;
  /** All of them, or none with 247 and those that are imported already. */
  importBundles(principal: Principal, bundles: NewBundles, now: number): Promise<void>;
  /** How many were made; 201 where the dealer has no such tariff. */
  createCodes(principal: Principal, codes: NewActivationCodes, now: number): Promise<number>;
  /** A page of the dealer's, oldest first, and how many there are. */
  listCodes(principal: Principal, search: ActivationCodeSearch): Promise<{ list: ActivationCode[]; count: number }>;
}

/** How imports get on. */
export interface ImportDirectory {
  /** Some of those that are not put away, by id: those behind `after`. */
  listImports(
    principal: Principal,
    types: readonly Imported[],
    after: number,
  ): Promise<{ items: TypedImport[]; isLast: boolean }>;
  /** 201 where there is none that the principal sees. */
  readImport(principal: Principal, type: Imported, id: number): Promise<TypedImport>;
}
