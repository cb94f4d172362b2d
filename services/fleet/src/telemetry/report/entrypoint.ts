import type { Principal } from "#shared/caller/principal.ts";
import type { EventName } from "#shared/contract/event/event.ts";
import type {
  Assignment,
  DriverShift,
  Equipment,
  EquipmentAtTime,
  RecordPage,
  RecordSearch,
  ReportEvent,
  ReportRecords,
  StatusShift,
} from "#shared/contract/report-source.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "../../env.ts";
import { eventRetentionOf } from "../../history/retention.ts";
import { selectByIds } from "../../tag/queries.ts";
import { readEquipmentAt } from "./equipment.ts";
import {
  selectAssignments,
  selectDrivers,
  selectEmployeeNames,
  selectEquipment,
  selectEvents,
  selectStatusShifts,
} from "./queries.ts";

/**
 * Entrypoint for the reports service: the records of a tracker that reports are made of. No public route leads here, so
 * `principal` is trusted.
 */
export class ReportRecordsService extends ServiceEntrypoint<FleetEnv> implements ReportRecords {
  equipmentOf(principal: Principal, tracker_id: number): Promise<Equipment | null> {
    return selectEquipment(openDatabase(this.env), principal, tracker_id);
  }

  equipmentAt(principal: Principal, tracker_id: number, time: number): Promise<EquipmentAtTime | null> {
    return readEquipmentAt(this.env, principal, tracker_id, time);
  }

  eventsIn(principal: Principal, search: RecordSearch, events: EventName[] | null): Promise<RecordPage<ReportEvent>> {
    return selectEvents(openDatabase(this.env), principal, search, events, eventRetentionOf(this.env, nowMs(this.env)));
  }

  driversIn(principal: Principal, search: RecordSearch): Promise<RecordPage<DriverShift>> {
    return selectDrivers(openDatabase(this.env), principal, search, nowMs(this.env));
  }

  statusesIn(principal: Principal, search: RecordSearch): Promise<RecordPage<StatusShift>> {
    return selectStatusShifts(openDatabase(this.env), principal, search, nowMs(this.env));
  }

  async tagNames(principal: Principal, ids: number[]): Promise<{ id: number; name: string }[]> {
    const rows = await selectByIds(openDatabase(this.env), principal, ids);
    return rows.map(({ id, name }) => ({ id, name }));
  }

  employeesOf(principal: Principal, ids: number[]): Promise<{ id: number; name: string }[]> {
    return selectEmployeeNames(openDatabase(this.env), principal, ids);
  }

  assignmentsOf(principal: Principal, employee_id: number, range: { from: number; to: number }): Promise<Assignment[]> {
    return selectAssignments(openDatabase(this.env), principal, employee_id, range);
  }
}
