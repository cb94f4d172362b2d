import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { DeviceStock, TariffStore, TrackerPanel } from "#shared/contract/fleet.ts";
import type {
  ActivationCode,
  ActivationCodeSearch,
  Equipment,
  NewActivationCodes,
  NewBundles,
} from "#shared/contract/tracker/stock.ts";
import type { NewTariff, Tariff, TariffSearch } from "#shared/contract/tracker/tariff.ts";
import type { NewClone, PanelTracker, TrackerChanges, TrackerSearch } from "#shared/contract/tracker/tracker.ts";
import { openDatabase } from "#shared/database/open.ts";
import { serviceOf } from "#shared/operation/service.ts";
import { QUEUES } from "./backlog-queries.ts";
import { describe } from "./description.ts";
import { sweepImportsLater } from "./import/sweep-later.ts";
import { operations } from "./operations.ts";
import { deliverClones } from "./outbox/deliver-clones.ts";
import { deliverOutboxesLater } from "./outbox/deliver-later.ts";
import { insertCodes, selectCodes } from "./registration/activation-code/queries.ts";
import { insertBundles } from "./registration/bundle/queries.ts";
import { findTariff, insertTariff, requireTariff, selectTariffs, updateTariff } from "./tariff/queries.ts";
import { insertClone } from "./tracker/clone/queries.ts";
import { EQUIPMENT, findModel } from "./tracker/model/models.ts";
import { changeTariff, changeTracker, requireForPanel, selectForPanel } from "./tracker/panel/queries.ts";
import { blockSource, countTrackers } from "./tracker/queries.ts";

// After a call that changed something, the outboxes are delivered behind its answer, and an import that was started
// begins.
const Service = serviceOf(operations, describe, QUEUES, {
  worker: "fleet",
  afterChange(env, { path }) {
    deliverOutboxesLater(env);
    if (path.endsWith("/import/start")) sweepImportsLater(env);
  },
});

/**
 * The methods that operators' calls need: tariffs, trackers and devices of their dealer. `shared/contract/fleet.ts`
 * says what each method promises.
 */
export class DealerService extends Service implements TariffStore, DeviceStock, Omit<TrackerPanel, "removeTracker"> {
  createTariff(principal: Principal, tariff: NewTariff): Promise<number> {
    return insertTariff(openDatabase(this.env), principal, tariff);
  }

  updateTariff(principal: Principal, id: number, changes: Partial<NewTariff>): Promise<void> {
    return updateTariff(openDatabase(this.env), principal, id, changes);
  }

  readTariff(principal: Principal, id: number): Promise<Tariff> {
    return requireTariff(openDatabase(this.env), principal, id);
  }

  listTariffs(principal: Principal, search: TariffSearch): Promise<{ list: Tariff[]; count: number }> {
    return selectTariffs(openDatabase(this.env), principal, search);
  }

  findTariff(principal: Principal, id: number): Promise<Tariff | undefined> {
    return findTariff(openDatabase(this.env), principal, id);
  }

  listTrackers(principal: Principal, search: TrackerSearch): Promise<{ trackers: PanelTracker[]; count: number }> {
    return selectForPanel(openDatabase(this.env), principal, search);
  }

  readTracker(principal: Principal, tracker_id: number): Promise<PanelTracker> {
    return requireForPanel(openDatabase(this.env), principal, tracker_id);
  }

  async changeTracker(principal: Principal, tracker_id: number, changes: TrackerChanges, actor: Actor): Promise<void> {
    await changeTracker(openDatabase(this.env), principal, tracker_id, changes, actor);
    deliverOutboxesLater(this.env);
  }

  async changeTariff(principal: Principal, tracker_id: number, tariff_id: number, actor: Actor): Promise<void> {
    await changeTariff(openDatabase(this.env), principal, tracker_id, tariff_id, actor);
    deliverOutboxesLater(this.env);
  }

  async blockSource(principal: Principal, tracker_id: number, blocked: boolean, actor: Actor): Promise<void> {
    const device = await blockSource(openDatabase(this.env), principal, tracker_id, blocked, actor);
    deliverOutboxesLater(this.env);
    await this.env.GEO.putDevices([device]);
  }

  async cloneTracker(principal: Principal, clone: NewClone, actor: Actor): Promise<number> {
    const id = await insertClone(openDatabase(this.env), principal, clone, actor);
    // Runs behind the answer. Clones that cannot be delivered now are delivered by the next sweep.
    this.ctx.waitUntil(deliverClones(this.env).catch(() => undefined));
    deliverOutboxesLater(this.env);
    return id;
  }

  countTrackers(accounts: number[]): Promise<Record<number, number>> {
    return countTrackers(openDatabase(this.env), accounts);
  }

  async listEquipment(): Promise<Equipment[]> {
    return EQUIPMENT.map(({ id, model }) => ({ id, model, name: findModel(model)?.name ?? model }));
  }

  importBundles(principal: Principal, bundles: NewBundles, now: number): Promise<void> {
    return insertBundles(openDatabase(this.env), principal, bundles, now);
  }

  createCodes(principal: Principal, codes: NewActivationCodes, now: number): Promise<number> {
    return insertCodes(openDatabase(this.env), principal, codes, now);
  }

  listCodes(principal: Principal, search: ActivationCodeSearch): Promise<{ list: ActivationCode[]; count: number }> {
    return selectCodes(openDatabase(this.env), principal, search);
  }
}
