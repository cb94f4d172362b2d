import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewEvent } from "#shared/contract/event/event.ts";
import type { UploadedFile } from "#shared/contract/file/file-ticket.ts";
import type { FileKeeper } from "#shared/contract/files.ts";
import type {
  Access,
  AddressedEvent,
  CloneFeed,
  EventStore,
  FeedGauge,
  Ignition,
  ImportDirectory,
  LackingTrackers,
  LinkNames,
  NamedLinks,
  PerformerSearch,
  Performers,
  PlaceLinks,
  RowLinks,
  SensorDirectory,
  StaffedTracker,
  StorageTerms,
  TagsAndEmployees,
  TariffTerms,
  TaskLinks,
  TrackerDirectory,
  TrackerList,
  TrackerOwners,
  TrackerPanel,
  TrackersAndTags,
  TrackerTags,
} from "#shared/contract/fleet.ts";
import type { Imported, TypedImport } from "#shared/contract/import-process.ts";
import type { ApiService } from "#shared/contract/service.ts";
import type { SyncedCalls, SyncItem, SyncRequest } from "#shared/contract/sync.ts";
import type { Device } from "#shared/contract/tracker/device.ts";
import type { TimeRange } from "#shared/contract/tracker/stored-range.ts";
import type { Feature } from "#shared/contract/tracker/tariff.ts";
import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { openDatabase } from "#shared/database/open.ts";
import { onlyRow, selectWhether } from "#shared/database/rows.ts";
import { read } from "#shared/database/steps.ts";
import type { TrackerGauge } from "#shared/telemetry/sensor.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DealerService } from "./dealer-service.ts";
import { storeEvents } from "./history/event-queries.ts";
import { countEventsInRanges, selectEventAddresses } from "./history/queries.ts";
import { eventRetentionOf } from "./history/retention.ts";
import { requireImport, selectImports } from "./import/queries.ts";
import { deliverEventsLater, deliverOutboxesLater } from "./outbox/deliver-later.ts";
import { deliverTrackerRemovals } from "./outbox/deliver-removed-trackers.ts";
import { selectByIds as selectEmployeesByIds } from "./people/employee/queries.ts";
import { selectLinkNames } from "./search/link-name-queries.ts";
import { sweep } from "./sweep.ts";
import { ITEM_RULES } from "./sync-item-rules.ts";
import { runSyncItems } from "./sync-items.ts";
import { selectByIds, selectByNames } from "./tag/queries.ts";
import { isOffered } from "./tariff/feature-queries.ts";
import { allowedMaps } from "./tariff/maps.ts";
import { selectAccess, selectMapFilters } from "./tariff/queries.ts";
import { requireIgnition } from "./telemetry/counter/queries.ts";
import { requireGauge, selectGauges } from "./telemetry/sensor/queries.ts";
import { selectPerformers } from "./tracker/links/performer-queries.ts";
import {
  selectCloneFeeds,
  selectCrew,
  selectLinks,
  selectRoster,
  selectTrackersLacking,
} from "./tracker/links/queries.ts";
import { selectAllVisible, selectStaffed, selectVisible, selectWithAnyTag } from "./tracker/queries.ts";
import { removeAccount } from "./tracker/removal/account-queries.ts";
import { removeTracker, selectClones } from "./tracker/removal/queries.ts";
import { selectStorePeriods } from "./tracker/store-period-queries.ts";
import { isFileReferenced } from "./vehicle/service-task/file-queries.ts";
import { markUploaded, releaseFiles, selectUnreferenced } from "./vehicle/service-task-file/queries.ts";

export { ReportRecordsService } from "./telemetry/report/entrypoint.ts";

/**
 * The entrypoint for other Workers. No public route leads here, so `principal` is trusted. `shared/contract` says what
 * each method promises.
 */
export default class FleetService
  extends DealerService
  implements
    ApiService,
    TrackerDirectory,
    TrackerList,
    TrackerTags,
    SensorDirectory,
    TariffTerms,
    PlaceLinks,
    TaskLinks,
    EventStore,
    StorageTerms,
    TrackerPanel,
    TrackerOwners,
    ImportDirectory,
    FileKeeper,
    SyncedCalls
{
  trackersOf(principal: Principal, ids: number[]): Promise<VisibleTracker[]> {
    return selectVisible(openDatabase(this.env), principal, ids);
  }

  allTrackers(principal: Principal, limit: number): Promise<VisibleTracker[]> {
    return selectAllVisible(openDatabase(this.env), principal, limit);
  }

  async taggedTrackers(principal: Principal, tag_ids: number[], tracker_ids: number[]): Promise<number[]> {
    const rows = await selectWithAnyTag(openDatabase(this.env), principal, tag_ids, tracker_ids);
    return rows.map(({ id }) => id);
  }

  gaugeOf(principal: Principal, tracker_id: number, sensor_id: number): Promise<FeedGauge> {
    return requireGauge(openDatabase(this.env), principal, tracker_id, sensor_id);
  }

  gaugesIn(account_id: number, sensor_ids: number[]): Promise<Record<number, TrackerGauge>> {
    return selectGauges(openDatabase(this.env), account_id, sensor_ids);
  }

  ignitionOf(principal: Principal, tracker_id: number): Promise<Ignition> {
    return requireIgnition(openDatabase(this.env), principal, tracker_id);
  }

  async allowedMaps(principal: Principal): Promise<string[]> {
    return allowedMaps(await selectMapFilters(openDatabase(this.env), principal));
  }

  accessOf(principal: Principal, feature: Feature, ids: number[] = []): Promise<Access> {
    return selectAccess(openDatabase(this.env), principal, feature, ids);
  }

  async isFeatureOffered(principal: Principal, feature: Feature): Promise<boolean> {
    return onlyRow(await selectWhether(openDatabase(this.env), isOffered(feature, principal))).holds;
  }

  async existingLinks(principal: Principal, { tags, employees }: TagsAndEmployees): Promise<TagsAndEmployees> {
    const db = openDatabase(this.env);
    const existing = await read(db, {
      tags: selectByIds(db, principal, tags),
      employees: selectEmployeesByIds(db, principal, employees),
    });
    return { tags: existing.tags.map(({ id }) => id), employees: existing.employees.map(({ id }) => id) };
  }

  async rowLinks(principal: Principal, { tag_names, employees }: NamedLinks): Promise<RowLinks> {
    const db = openDatabase(this.env);
    const links = await read(db, {
      tags: selectByNames(db, principal, tag_names),
      employees: selectEmployeesByIds(db, principal, employees),
    });
    return { tags: links.tags, employees: links.employees.map(({ id }) => id) };
  }

  namesOf(principal: Principal, texts: string[]): Promise<LinkNames> {
    return selectLinkNames(openDatabase(this.env), principal, texts);
  }

  linksOf(principal: Principal, trackers: number[], tags: number[]): Promise<TrackersAndTags> {
    return selectLinks(openDatabase(this.env), principal, trackers, tags);
  }

  findTrackersLacking(principal: Principal, feature: Feature, tags: number[]): Promise<LackingTrackers> {
    return selectTrackersLacking(openDatabase(this.env), principal, feature, tags);
  }

  readCrew(principal: Principal): Promise<string> {
    return selectCrew(openDatabase(this.env), principal);
  }

  performersOf(principal: Principal, feature: Feature, search: PerformerSearch): Promise<Performers> {
    return selectPerformers(openDatabase(this.env), principal, feature, search);
  }

  readRoster(principal: Principal, trackers?: number[]): Promise<string> {
    return selectRoster(openDatabase(this.env), principal, trackers);
  }

  feedsOfClones(principal: Principal): Promise<CloneFeed[]> {
    return selectCloneFeeds(openDatabase(this.env), principal);
  }

  staffedTrackers(principal: Principal, trackers: number[]): Promise<StaffedTracker[]> {
    return selectStaffed(openDatabase(this.env), principal, trackers);
  }

  runItems(principal: Principal, request: SyncRequest, items: SyncItem[]): Promise<string> {
    return runSyncItems(this.env, ITEM_RULES, { principal, request, items });
  }

  async storeEvents(events: NewEvent[]): Promise<void> {
    await storeEvents(openDatabase(this.env), events, nowMs(this.env));
    deliverEventsLater(this.env);
    deliverOutboxesLater(this.env);
  }

  countEvents(principal: Principal, tracker_id: number, ranges: [number, number][]): Promise<number[]> {
    return countEventsInRanges(
      openDatabase(this.env),
      principal,
      tracker_id,
      ranges,
      eventRetentionOf(this.env, nowMs(this.env)),
    );
  }

  storagePeriodsOf(tracker_ids: number[]): Promise<Record<number, string>> {
    return selectStorePeriods(openDatabase(this.env), tracker_ids);
  }

  eventAddresses(principal: Principal, tracker_id: number, range: TimeRange): Promise<AddressedEvent[]> {
    return selectEventAddresses(
      openDatabase(this.env),
      principal,
      tracker_id,
      range,
      eventRetentionOf(this.env, nowMs(this.env)),
    );
  }

  async removeTracker(principal: Principal, tracker_id: number, withClones: boolean, actor: Actor): Promise<boolean> {
    const db = openDatabase(this.env);
    const { devices, trackers, isNew } = await removeTracker(db, principal, tracker_id, withClones, actor);
    deliverOutboxesLater(this.env);
    await Promise.all([this.#putDevices(devices), deliverTrackerRemovals(this.env, trackers)]);
    return isNew;
  }

  clonesOf(principal: Principal, account_id: number): Promise<number[]> {
    return selectClones(openDatabase(this.env), principal, account_id);
  }

  async removeAccount(account_id: number): Promise<boolean> {
    const { devices, isNew } = await removeAccount(openDatabase(this.env), account_id, nowMs(this.env));
    await this.#putDevices(devices);
    return isNew;
  }

  async listImports(
    principal: Principal,
    types: readonly Imported[],
    after: number,
  ): Promise<{ items: TypedImport[]; isLast: boolean }> {
    const { items, next } = await selectImports(openDatabase(this.env), principal, types, after);
    return { items, isLast: next === undefined };
  }

  readImport(principal: Principal, type: Imported, id: number): Promise<TypedImport> {
    return requireImport(openDatabase(this.env), principal, type, id);
  }

  filesUploaded(files: UploadedFile[]): Promise<number[]> {
    return markUploaded(openDatabase(this.env), files);
  }

  unreferencedFiles(account_id: number, ids: number[]): Promise<number[]> {
    return selectUnreferenced(openDatabase(this.env), account_id, ids);
  }

  releaseFiles(account_id: number, ids: number[]): Promise<number[]> {
    return releaseFiles(openDatabase(this.env), account_id, ids);
  }

  referencesFile(principal: Principal, id: number): Promise<boolean> {
    return isFileReferenced(openDatabase(this.env), principal, id);
  }

  async #putDevices(devices: Device[]) {
    for (let start = 0; start < devices.length; start += MAX_DEVICES_PER_CALL) {
      await this.env.GEO.putDevices(devices.slice(start, start + MAX_DEVICES_PER_CALL));
    }
  }

  override async scheduled() {
    await sweep(this.env);
  }
}

const MAX_DEVICES_PER_CALL = 500;
