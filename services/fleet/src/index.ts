import { openDatabase } from "#shared/database.ts";
import type { Feature, NewPlan, WantedPlans } from "#shared/plan.ts";
import type { Principal } from "#shared/principal.ts";
import { serviceOf } from "#shared/service.ts";
import { operations } from "./operations.ts";
import { deliverOutbox } from "./outbox/deliver.ts";
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
import { blockSource, countTrackers, selectVisible } from "./tracker/queries.ts";

/** All that other Workers may ask. No public route leads here, so `principal` is trusted. */
export default class FleetService extends serviceOf(operations) {
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
  async blockSource(principal: Principal, tracker_id: number, blocked: boolean) {
    const device = await blockSource(openDatabase(this.env), principal, tracker_id, blocked);
    await this.env.GEO.putDevices([device]);
  }

  override async scheduled() {
    await deliverOutbox(this.env);
  }
}
