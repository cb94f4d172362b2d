import { awaitAll } from "#shared/background/await-all.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Activity } from "#shared/contract/event/activity.ts";
import { sweepAvatars } from "#shared/contract/file/avatar.ts";
import type {
  ConnectionTimes,
  DeviceReadings,
  DeviceRegister,
  Forwarding,
  Ingest,
  Meters,
  PlaceTags,
  RuleCauses,
  TrackerRecords,
  UserRecords,
} from "#shared/contract/geo.ts";
import type { LiveEntry, LiveStates, Subscription, TrackerValues } from "#shared/contract/live.ts";
import type { AccountPosition, AreasAround, Surroundings, VisibleAreas } from "#shared/contract/point/area.ts";
import type { Drives } from "#shared/contract/point/drive.ts";
import type { Geocoded, Geocoder, GeocoderSearch } from "#shared/contract/point/geocoder.ts";
import type { LastReadings } from "#shared/contract/point/last-readings.ts";
import type { MarkSearch, MeterMarks, MeterSearch, MeterValues } from "#shared/contract/point/meter.ts";
import type { WorkWatch } from "#shared/contract/point/visit.ts";
import type { RemovedUser } from "#shared/contract/removal.ts";
import type {
  AreaKinds,
  NamedPosition,
  Naming,
  PointCursor,
  PointSearch,
  ReportPoint,
  ReportSource,
  ReportTrip,
  ReportVisits,
  VisitSearch,
} from "#shared/contract/report-source.ts";
import type { ApiService } from "#shared/contract/service.ts";
import type { PlaceChanges, SyncCursor, SyncedPlaces } from "#shared/contract/sync.ts";
import type { TaggedPage, TaggedSearch } from "#shared/contract/tag.ts";
import type { AccountDays, AccountZone } from "#shared/contract/tasks.ts";
import type { Device } from "#shared/contract/tracker/device.ts";
import type { DeviceRequest } from "#shared/contract/tracker/device-request.ts";
import type { RetranslationStatus, TargetsMessage } from "#shared/contract/tracker/retranslation.ts";
import type { Backlog } from "#shared/database/backlog.ts";
import { deleteOldKeys } from "#shared/database/idempotency/queries.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { RemovedTag } from "#shared/database/tag-binding/table.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { SerializedAnswer } from "#shared/operation/declaration.ts";
import { failureOf } from "#shared/operation/serve.ts";
import { serviceOf } from "#shared/operation/service.ts";
import { forgetChanges } from "#shared/sync/forget-queries.ts";
import { nowMs } from "#shared/time/clock.ts";
import { QUEUES } from "./backlog-queries.ts";
import { removeLeftovers } from "./chunk/archive/leftovers.ts";
import { sweepArchive } from "./chunk/archive/sweep.ts";
import { silentDatabases } from "./chunk/database/health.ts";
import { eraseTrackers } from "./chunk/removed-tracker/erase.ts";
import { sweepPoints } from "./chunk/retention/sweep.ts";
import { availableMeterValues, meterValuesOf, pinMeters } from "./counter/tracker-meters.ts";
import { deliverAudit, deliverAuditLater } from "./deliver-audit.ts";
import { describe } from "./description.ts";
import { geocoderOf } from "./geocoder/geocode.ts";
import { upsertDevices } from "./ingest/device-queries.ts";
import { receive } from "./ingest/receive.ts";
import { lastValuesOf } from "./live/last-values.ts";
import { lastConnections } from "./live/state/last-connections.ts";
import { subscribe } from "./live/subscribe.ts";
import { logFailure } from "./log-failure.ts";
import { accountRulesOf, boardOf, feedOf } from "./object/addresses.ts";
import { feedBacklogs } from "./object/waiting-feeds.ts";
import { operations } from "./operations.ts";
import { areaLabelsAt } from "./place/area/area-names.ts";
import { areasAround } from "./place/area/areas-around.ts";
import { visibleAreas } from "./place/area/visible-areas.ts";
import { avatars } from "./place/avatar/queries.ts";
import { selectResponsiblePlaces } from "./place/responsible-queries.ts";
import { changedPlaces } from "./place/sync/changed-places.ts";
import { taggedWith } from "./place/tag-search.ts";
import { evaluateActivities } from "./rule/evaluate-activities.ts";
import { unbindRemovedTrackers, upsertTimeZones } from "./rule/queries.ts";
import { deleteUserRecords } from "./rule/removed-user-queries.ts";
import { visitsIn } from "./rule/trial/report-visits.ts";
import { placeChange } from "./table/place/place-change.ts";
import { placeRevision } from "./table/place/place-revision.ts";
import type { Tagged } from "./table/tag-binding.ts";
import { drivesOf } from "./track/drives.ts";
import { namesAt, pointsIn, tripsIn } from "./track/report-source/report-source.ts";
import { readLastReadings } from "./track/sensor/last-readings.ts";
import { deleteTagBindings } from "./zone/tag-queries.ts";

export { TrackerFeed } from "./feed/tracker-feed.ts";
export { RetranslationBoard } from "./forwarding/status-board.ts";
export { GeocoderQueue } from "./geocoder/geocoder-queue.ts";
export { SharedJournalObject } from "./journal/shared-journal-object.ts";
export { StateRelay } from "./live/state-relay.ts";
export { AccountRules } from "./rule/copy/account-rules.ts";

// After a call that changed something, its record is delivered to the audit log shortly later.
const Service = serviceOf(operations, describe, QUEUES, { worker: "geo", afterChange: deliverAuditLater });

/**
 * The service's entrypoint. Only `ingest` is reachable from a public route, so `principal` is trusted. The interfaces
 * describe the methods.
 */
export default class GeoService
  extends Service
  implements
    ApiService,
    Ingest,
    DeviceRegister,
    DeviceReadings,
    ConnectionTimes,
    Meters,
    Forwarding,
    LiveStates,
    PlaceTags,
    UserRecords,
    AccountDays,
    TrackerRecords,
    Geocoder,
    ReportSource,
    WorkWatch,
    RuleCauses,
    SyncedPlaces,
    Surroundings
{
  async ingest(request: DeviceRequest, request_id: string): Promise<SerializedAnswer> {
    try {
      return { status: 200, code: 0, body: await receive(request, this.env) };
    } catch (thrown) {
      return failureOf(thrown, { request_id, worker: "geo", path: new URL(request.url).pathname });
    }
  }

  async putDevices(devices: Device[]): Promise<void> {
    const feeds = devices.map((device) => feedOf(this.env, device.tracker_id).configure(device));
    // Feeds are informed even if the database fails: a blocked device must stop at once.
    const db = openDatabase(this.env);
    const [written] = await Promise.allSettled([upsertDevices(db, devices), Promise.all(feeds)]);
    // Not awaited: these feeds accept no more points, so no rule can fire.
    this.ctx.waitUntil(unbindRemovedTrackers(db, devices.filter(isRemoved)).catch(logFailure));
    await Promise.all(feeds);
    if (written.status === "rejected") throw written.reason;
  }

  readingsOf(tracker_ids: number[]): Promise<Record<number, LastReadings>> {
    return readLastReadings(this.env, tracker_ids, nowMs(this.env));
  }

  async lastGpsPoint(tracker_id: number): Promise<{ lat: number; lng: number; time: number } | null> {
    const point = await feedOf(this.env, tracker_id).lastGpsPoint();
    return point ? { lat: point.lat, lng: point.lng, time: point.time } : null;
  }

  lastConnections(tracker_ids: number[]): Promise<Record<number, number | null>> {
    return lastConnections(this.env, tracker_ids, nowMs(this.env));
  }

  meterValues(searches: [tracker_id: number, search: MeterSearch][]): Promise<Record<number, MeterValues>> {
    return meterValuesOf(this.env, searches);
  }

  meterValuesOfReachable(
    searches: [tracker_id: number, search: MeterSearch][],
  ): Promise<Record<number, MeterValues | undefined>> {
    return availableMeterValues(this.env, searches);
  }

  async meterValuesAt(tracker_id: number, search: MeterSearch, time: number) {
    const feed = feedOf(this.env, tracker_id);
    // One after the other: the feed reuses in the second call the points read for the first.
    const { values } = await feed.momentValues({
      needed: [time],
      cuts: [],
      times: [],
      of: search.of,
      since: search.since,
    });
    return { metered: await feed.meterValues(search), values: values.get(time) ?? null };
  }

  meterMarks(tracker_id: number, search: MarkSearch): Promise<MeterMarks> {
    return feedOf(this.env, tracker_id).meterMarks(search);
  }

  pinMeters(tracker_ids: number[]): Promise<Record<number, number | null>> {
    return pinMeters(this.env, tracker_ids);
  }

  drivesOf(
    tracker_id: number,
    range: { from: number; to: number; locale: string },
    cuts: number[],
    counted: MeterSearch | null,
  ): Promise<Drives> {
    return drivesOf(this.env, tracker_id, range, cuts, counted);
  }

  async putTargets(messages: TargetsMessage[]): Promise<void> {
    await Promise.all(messages.map((message) => feedOf(this.env, message.tracker_id).setTargets(message)));
  }

  retranslationStatuses(account_id: number): Promise<RetranslationStatus[]> {
    return boardOf(this.env, account_id).statuses();
  }

  subscribe(subscription: Subscription): Promise<LiveEntry[]> {
    return subscribe(this.env, subscription);
  }

  lastValues(principal: Principal, tracker_ids: number[]): Promise<TrackerValues[]> {
    return lastValuesOf(this.env, principal, tracker_ids);
  }

  taggedWith(principal: Principal, search: TaggedSearch<Tagged>): Promise<TaggedPage> {
    return taggedWith(openDatabase(this.env), principal, search);
  }

  deleteTagBindings(tags: RemovedTag[]): Promise<void> {
    return deleteTagBindings(openDatabase(this.env), tags);
  }

  putTimeZones(zones: AccountZone[]): Promise<void> {
    return upsertTimeZones(openDatabase(this.env), zones);
  }

  deleteUserRecords(users: RemovedUser[]): Promise<void> {
    return deleteUserRecords(openDatabase(this.env), users);
  }

  eraseTrackers(account_id: number, tracker_ids: number[]): Promise<void> {
    return eraseTrackers(this.env, account_id, tracker_ids);
  }

  evaluateActivities(activities: Activity[]): Promise<void> {
    return evaluateActivities(this.env, activities);
  }

  async invalidateGauges(account_ids: number[]): Promise<void> {
    await Promise.all(account_ids.map((account_id) => accountRulesOf(this.env, account_id).invalidateGauges()));
  }

  geocode(principal: Principal, search: GeocoderSearch): Promise<Geocoded> {
    return geocoderOf(this.env).geocode(principal, search);
  }

  tripsIn(
    principal: Principal,
    tracker_id: number,
    range: { from: number; to: number } & Naming,
  ): Promise<ReportTrip[]> {
    return tripsIn(this.env, principal, tracker_id, range);
  }

  pointsIn(
    feed: { account_id: number; tracker_id: number },
    from: PointCursor,
    search: PointSearch,
  ): Promise<{ points: ReportPoint[]; next: PointCursor | null }> {
    return pointsIn(this.env, feed, from, search);
  }

  visitsIn(
    principal: Principal,
    feed: { account_id: number; tracker_id: number },
    search: VisitSearch,
  ): Promise<ReportVisits> {
    return visitsIn(this.env, principal, feed, search);
  }

  namesAt(principal: Principal, positions: Position[], naming: Naming): Promise<NamedPosition[]> {
    return namesAt(this.env, principal, positions, naming);
  }

  responsiblePlaces(principal: Principal, employee_ids: number[]): Promise<number[]> {
    return selectResponsiblePlaces(openDatabase(this.env), principal, employee_ids);
  }

  areaLabelsAt(principal: Principal, positions: Position[], areas: AreaKinds): Promise<string[][]> {
    return areaLabelsAt(this.env, principal, positions, areas);
  }

  changedPlaces(principal: Principal, cursor: SyncCursor | null): Promise<PlaceChanges | null> {
    return changedPlaces(openDatabase(this.env), principal, cursor);
  }

  areasAround(positions: AccountPosition[]): Promise<AreasAround[]> {
    return areasAround(openDatabase(this.env), positions);
  }

  visibleAreas(principal: Principal): Promise<VisibleAreas> {
    return visibleAreas(openDatabase(this.env), principal);
  }

  async workChanged(account_id: number): Promise<void> {
    await accountRulesOf(this.env, account_id).refreshWork();
  }

  override silentDatabases(): Promise<string[]> {
    return silentDatabases(this.env);
  }

  override async backlogs(): Promise<Backlog[]> {
    return [...(await super.backlogs()), ...feedBacklogs()];
  }

  override async scheduled() {
    const now = nowMs(this.env);
    await awaitAll([
      deliverAudit(this.env),
      sweepPoints(this.env),
      sweepArchive(this.env),
      removeLeftovers(this.env),
      deleteOldKeys(openDatabase(this.env), now),
      forgetChanges(openDatabase(this.env), { changes: placeChange, revisions: placeRevision }, now),
      sweepAvatars(avatars, { db: openDatabase(this.env), store: this.env.FILES, now }),
    ]);
  }
}

function isRemoved({ removed }: Device) {
  return removed === true;
}
