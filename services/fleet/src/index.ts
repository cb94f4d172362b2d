import type { Actor } from "#shared/audit.ts";
import { nowMs } from "#shared/clock.ts";
import { openDatabase } from "#shared/database.ts";
import type { NewEvent } from "#shared/event.ts";
import type { UploadedFile } from "#shared/file-ticket.ts";
import type { Imported } from "#shared/import-process.ts";
import type { Answer, Asked } from "#shared/operation.ts";
import type { Feature, NewPlan, WantedPlans } from "#shared/plan.ts";
import type { Principal } from "#shared/principal.ts";
import { serviceOf } from "#shared/service.ts";
import type { Device } from "#shared/tracker.ts";
import type { WantedTrackers } from "#shared/tracker-schema.ts";
import { insertCodes, type NewCodes, selectCodes, type WantedCodes } from "./activation-code/queries.ts";
import { deliverAudit } from "./audit/deliver.ts";
import { insertBundles, type NewBundles } from "./bundle/queries.ts";
import { insertClone } from "./clone/queries.ts";
import { requireIgnition } from "./counter/queries.ts";
import { selectByIds as selectEmployeesByIds } from "./employee/queries.ts";
import { deliverGone } from "./gone-account/deliver.ts";
import { storeEvents } from "./history/store.ts";
import { tellEvents } from "./history/tell.ts";
import { requireImport, selectImports } from "./import/queries.ts";
import { sweepImports } from "./import/run.ts";
import { importSoon } from "./import/soon.ts";
import { deliverMail } from "./mail-outbox/deliver.ts";
import { EQUIPMENT, findModel } from "./model/list.ts";
import { operations } from "./operations.ts";
import { deliverOutbox } from "./outbox/deliver.ts";
import { tellSoon } from "./outbox/tell-soon.ts";
import { changePlan, changeTracker, requireKnown, selectKnown } from "./panel-tracker/queries.ts";
import { selectWhether, someHave } from "./plan/allowed.ts";
import { allowedMaps } from "./plan/maps.ts";
import {
  findPlan,
  insertPlan,
  requirePlan,
  selectAccess,
  selectMapFilters,
  selectPlans,
  updatePlan,
} from "./plan/queries.ts";
import { removeAccount, removeTracker, selectClones } from "./removed-tracker/queries.ts";
import { deliverTargets } from "./retranslator-binding/targets.ts";
import { requireGauge } from "./sensor/queries.ts";
import { sweepServiceTasks } from "./service-task/sweep.ts";
import { deliverUnneeded } from "./service-task-file/deliver.ts";
import { noteUploaded } from "./service-task-file/queries.ts";
import { selectByIds } from "./tag/queries.ts";
import { sweepRemovals } from "./tag/removal.ts";
import { selectCrew, selectLacking, selectLinks } from "./task-links/queries.ts";
import { blockSource, countTrackers, selectVisible } from "./tracker/queries.ts";

/** All that other Workers may ask. No public route leads here, so `principal` is trusted. */
export default class FleetService extends serviceOf(operations) {
  /** What a call changed is told to whoever must hear of it, and what it began is done, a moment later. */
  override async handle(asked: Asked, principal: Principal): Promise<Answer> {
    const answer = await super.handle(asked, principal);
    if (!READING.has(asked.path)) tellSoon(this.env);
    if (asked.path.endsWith("/import/start")) importSoon(this.env);
    return answer;
  }

  /** All ids in one call; what the principal may not see is left out. */
  trackersOf(principal: Principal, ids: number[]) {
    return selectVisible(openDatabase(this.env), principal, ids);
  }

  /** The maps that the plans of the account's devices allow. */
  async allowedMaps(principal: Principal) {
    return allowedMaps(await selectMapFilters(openDatabase(this.env), principal));
  }

  /** Whether all trackers have the feature, and which of the ids are trackers that the principal sees. */
  accessOf(principal: Principal, feature: Feature, ids: number[] = []) {
    return selectAccess(openDatabase(this.env), principal, feature, ids);
  }

  /** Whether any of the account's trackers has the feature; where there is none, the plan of new ones. */
  async offers(principal: Principal, feature: Feature) {
    const [found] = await selectWhether(openDatabase(this.env), someHave(feature, principal));
    return found?.holds === true;
  }

  /** Which of these ids are tags of the account, for things of other services to carry. */
  async knownTags(principal: Principal, ids: number[]) {
    const known = await selectByIds(openDatabase(this.env), principal, ids);
    return known.map(({ id }) => id);
  }

  /** The same of tags and employees at once; of employees those that the principal sees. */
  async knownLinks(principal: Principal, { tags, employees }: { tags: number[]; employees: number[] }) {
    const db = openDatabase(this.env);
    const [tagsKnown, employeesKnown] = await db.batch([
      selectByIds(db, principal, tags),
      selectEmployeesByIds(db, principal, employees),
    ]);
    return { tags: tagsKnown.map(({ id }) => id), employees: employeesKnown.map(({ id }) => id) };
  }

  /** The trackers and the tags of these ids that the principal may refer to, for things that have both. */
  linksOf(principal: Principal, trackers: number[], tags: number[]) {
    return selectLinks(openDatabase(this.env), principal, trackers, tags);
  }

  /** The trackers that lack the feature, and those of the tags that there are. */
  lackingOf(principal: Principal, feature: Feature, tags: number[]) {
    return selectLacking(openDatabase(this.env), principal, feature, tags);
  }

  /** Who is on the trackers that the principal sees, by the names that lists are sorted by. */
  crewOf(principal: Principal) {
    return selectCrew(openDatabase(this.env), principal);
  }

  /** From whoever produces them; what is told twice is stored once. At most 500 in one call. */
  async storeEvents(events: NewEvent[]) {
    await storeEvents(openDatabase(this.env), events, nowMs(this.env));
    tellSoon(this.env);
  }

  /** A metering or virtual sensor of the tracker or its original, for reading what it measured. */
  gaugeOf(principal: Principal, tracker_id: number, sensor_id: number) {
    return requireGauge(openDatabase(this.env), principal, tracker_id, sensor_id);
  }

  /** By what the tracker's engine hours are counted; no clone's. */
  ignitionOf(principal: Principal, tracker_id: number) {
    return requireIgnition(openDatabase(this.env), principal, tracker_id);
  }

  createPlan(principal: Principal, input: NewPlan) {
    return insertPlan(openDatabase(this.env), principal, input);
  }

  updatePlan(principal: Principal, id: number, changes: Partial<NewPlan>) {
    return updatePlan(openDatabase(this.env), principal, id, changes);
  }

  readPlan(principal: Principal, id: number) {
    return requirePlan(openDatabase(this.env), principal, id);
  }

  listPlans(principal: Principal, wanted: WantedPlans) {
    return selectPlans(openDatabase(this.env), principal, wanted);
  }

  /** Undefined where the dealer has no such plan. */
  findPlan(principal: Principal, id: number) {
    return findPlan(openDatabase(this.env), principal, id);
  }

  /** How many trackers each of the accounts has. */
  countTrackers(accounts: number[]) {
    return countTrackers(openDatabase(this.env), accounts);
  }

  /** Geo knows of it before the operator's answer: no point gets in after it. */
  async blockSource(principal: Principal, tracker_id: number, blocked: boolean, actor: Actor) {
    const device = await blockSource(openDatabase(this.env), principal, tracker_id, blocked, actor);
    tellSoon(this.env);
    await this.env.GEO.putDevices([device]);
  }

  /** What may be imported as bundles. */
  listEquipment() {
    return EQUIPMENT.map(({ id, model }) => ({ id, model, name: findModel(model)?.name ?? model }));
  }

  importBundles(principal: Principal, bundles: NewBundles, now: number) {
    return insertBundles(openDatabase(this.env), principal, bundles, now);
  }

  createCodes(principal: Principal, codes: NewCodes, now: number) {
    return insertCodes(openDatabase(this.env), principal, codes, now);
  }

  listCodes(principal: Principal, wanted: WantedCodes) {
    return selectCodes(openDatabase(this.env), principal, wanted);
  }

  listTrackers(principal: Principal, wanted: WantedTrackers) {
    return selectKnown(openDatabase(this.env), principal, wanted);
  }

  readTracker(principal: Principal, tracker_id: number) {
    return requireKnown(openDatabase(this.env), principal, tracker_id);
  }

  async changeTracker(
    principal: Principal,
    tracker_id: number,
    changes: { label?: string; comment?: string },
    actor: Actor,
  ) {
    await changeTracker(openDatabase(this.env), principal, tracker_id, changes, actor);
    tellSoon(this.env);
  }

  async changePlan(principal: Principal, tracker_id: number, tariff_id: number, actor: Actor) {
    await changePlan(openDatabase(this.env), principal, tracker_id, tariff_id, actor);
    tellSoon(this.env);
  }

  /** The account is known to exist. */
  async cloneTracker(
    principal: Principal,
    clone: { tracker_id: number; user_id: number; label: string },
    actor: Actor,
  ) {
    const id = await insertClone(openDatabase(this.env), principal, clone, actor);
    tellSoon(this.env);
    return id;
  }

  /** False: a call before removed it already; geo is told again, should it not know yet. */
  async removeTracker(principal: Principal, tracker_id: number, withClones: boolean, actor: Actor) {
    const { devices, isNew } = await removeTracker(openDatabase(this.env), principal, tracker_id, withClones, actor);
    tellSoon(this.env);
    await this.#tell(devices);
    return isNew;
  }

  /** Of an account that is no more, so nobody's rights are asked. False: there was nothing left of it. */
  async removeAccount(account_id: number) {
    const { devices, isNew } = await removeAccount(openDatabase(this.env), account_id);
    await this.#tell(devices);
    return isNew;
  }

  /** The clones, in other accounts, of the account's trackers. */
  clonesOf(principal: Principal, account_id: number) {
    return selectClones(openDatabase(this.env), principal, account_id);
  }

  /** Imports that are not put away, some of them: those behind the id. */
  async listImports(principal: Principal, types: readonly Imported[], after: number) {
    const { items, next } = await selectImports(openDatabase(this.env), principal, types, after);
    return { items, isLast: next === undefined };
  }

  readImport(principal: Principal, type: Imported, id: number) {
    return requireImport(openDatabase(this.env), principal, type, id);
  }

  /** Files of service tasks that have come in; which of them it has tickets of. */
  filesUploaded(files: UploadedFile[]) {
    return noteUploaded(openDatabase(this.env), files);
  }

  async #tell(devices: Device[]) {
    for (let start = 0; start < devices.length; start += WAVE) {
      await this.env.GEO.putDevices(devices.slice(start, start + WAVE));
    }
  }

  override async scheduled() {
    // None waits for what another needs.
    const done = await Promise.allSettled([
      deliverOutbox(this.env),
      deliverTargets(this.env),
      sweepRemovals(this.env),
      deliverAudit(this.env),
      deliverGone(this.env),
      deliverUnneeded(this.env),
      sweepImports(this.env),
      sweepServiceTasks(this.env)
        .finally(() => deliverMail(this.env))
        .finally(() => tellEvents(this.env)),
    ]);
    for (const one of done) if (one.status === "rejected") throw one.reason;
  }
}

const WAVE = 500;
const READING = new Set(operations.filter(({ reads }) => reads).map(({ path }) => path));
