import { nowMs } from "#shared/clock.ts";
import { openDatabase } from "#shared/database.ts";
import type { WantedMarks, WantedMeters } from "#shared/metered.ts";
import type { Answer, Asked } from "#shared/operation.ts";
import type { Principal } from "#shared/principal.ts";
import type { RetranslationStatus, TargetsWord } from "#shared/retranslation.ts";
import type { Sent } from "#shared/sent.ts";
import { failureOf } from "#shared/serve.ts";
import { serviceOf } from "#shared/service.ts";
import type { RemovedTag, TagCarrier, TaggedPage, WantedTagged } from "#shared/tag-binding/owner.ts";
import type { Device } from "#shared/tracker.ts";
import { deliverAudit, tellSoon } from "./audit/deliver.ts";
import { meteredOf, meteredOfAble, pinMeters } from "./counter/of-trackers.ts";
import { type DepartedUser, forgetUsers } from "./departed-user/queries.ts";
import { putDevices } from "./device/queries.ts";
import { feedOf } from "./feed/of-tracker.ts";
import { receive } from "./ingest/receive.ts";
import { operations } from "./operations.ts";
import { boardOf } from "./retranslation/of-account.ts";
import { readingsOf } from "./sensor/readings.ts";
import { lastConnections } from "./state/last-connections.ts";
import { forgetTags } from "./tag-binding/queries.ts";
import type { Tagged } from "./tag-binding/table.ts";
import { taggedWith } from "./tagged/search.ts";
import { drivesOf } from "./track/drives.ts";

export { TrackerFeed } from "./feed/tracker-feed.ts";
export { RetranslationBoard } from "./retranslation/board.ts";

/** All that other Workers may ask. No public route leads here but to `ingest`, so `principal` is trusted. */
export default class GeoService extends serviceOf(operations) implements TagCarrier<Tagged> {
  /** What a call changed the audit log hears of a moment later. */
  override async handle(asked: Asked, principal: Principal): Promise<Answer> {
    const answer = await super.handle(asked, principal);
    if (!READING.has(asked.path)) tellSoon(this.env);
    return answer;
  }

  /** Points of a device, which has no hash: its id and its key are what it shows. */
  async ingest(sent: Sent, request_id: string): Promise<{ status: number; body: string }> {
    try {
      return { status: 200, body: await receive(sent, this.env) };
    } catch (thrown) {
      return failureOf(thrown, { path: new URL(sent.url).pathname, request_id });
    }
  }

  /** Devices that are new or changed: their points find the tracker, and their feeds know the change. */
  async putDevices(devices: Device[]) {
    const feeds = devices.map((device) => feedOf(this.env, device.tracker_id).configure(device));
    // The feeds hear of it also while the database is away: a device that is blocked is blocked.
    const [written] = await Promise.allSettled([putDevices(openDatabase(this.env), devices), Promise.all(feeds)]);
    await Promise.all(feeds);
    if (written.status === "rejected") throw written.reason;
  }

  /** A tracker's tracks, cut at these moments, and what a counter needs for its values at their ends. */
  drivesOf(tracker_id: number, range: { from: number; to: number }, cuts: number[], counted: WantedMeters | null) {
    return drivesOf(this.env, tracker_id, range, cuts, counted);
  }

  /** The last point that no cell tower gave; null: there is none. */
  async lastGpsPoint(tracker_id: number) {
    const point = await feedOf(this.env, tracker_id).lastGpsPoint();
    return point ? { lat: point.lat, lng: point.lng, time: point.time } : null;
  }

  /** What devices told last, by the ids of their trackers. */
  readingsOf(tracker_ids: number[]) {
    return readingsOf(this.env, tracker_ids, nowMs(this.env));
  }

  /** What has run up in the points of trackers, by their ids. */
  metered(wanted: [tracker_id: number, wanted: WantedMeters][]) {
    return meteredOf(this.env, wanted);
  }

  /** The same for sweeps, without those that fail. */
  meteredOfAble(wanted: [tracker_id: number, wanted: WantedMeters][]) {
    return meteredOfAble(this.env, wanted);
  }

  /** The same over a range, an hour after the other. */
  meterMarks(tracker_id: number, wanted: WantedMarks) {
    return feedOf(this.env, tracker_id).meterMarks(wanted);
  }

  /** The times of the last points, from which somebody is going to count; null without points. */
  pinMeters(tracker_ids: number[]) {
    return pinMeters(this.env, tracker_ids);
  }

  /** Where the points of trackers go besides. */
  async putTargets(words: TargetsWord[]) {
    await Promise.all(words.map((word) => feedOf(this.env, word.tracker_id).setTargets(word)));
  }

  /** Of all retranslators of the account that anything was to be sent to. */
  async retranslationStatuses(account_id: number): Promise<RetranslationStatus[]> {
    return boardOf(this.env, account_id).statuses();
  }

  /** When trackers were last heard of, for operators. */
  lastConnections(tracker_ids: number[]) {
    return lastConnections(this.env, tracker_ids, nowMs(this.env));
  }

  /** A page of the places or zones that carry all of the tags, as `read` answers them. */
  taggedWith(principal: Principal, wanted: WantedTagged<Tagged>): Promise<TaggedPage> {
    return taggedWith(openDatabase(this.env), principal, wanted);
  }

  /** Tags that are no more. */
  forgetTags(tags: RemovedTag[]) {
    return forgetTags(openDatabase(this.env), tags);
  }

  /** Masters, with all that was theirs, and sub-users that are no more; told twice, it changes nothing. */
  forgetUsers(users: DepartedUser[]) {
    return forgetUsers(openDatabase(this.env), users);
  }

  override async scheduled() {
    await deliverAudit(this.env);
  }
}

const READING = new Set(operations.filter(({ reads }) => reads).map(({ path }) => path));
