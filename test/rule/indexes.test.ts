import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteEntries } from "../../gateway/src/audit/queries.ts";
import { selectSessions } from "../../gateway/src/credential/session/queries.ts";
import { changeBlocking } from "../../gateway/src/dealer/sub-dealer/queries.ts";
import { deleteOldEvents } from "../../gateway/src/event/retention-queries.ts";
import { insertNotices } from "../../gateway/src/mail/notice/queries.ts";
import { claimDueMails, selectMail } from "../../gateway/src/mail/queries.ts";
import { insertDeliveries, storeAttemptsAndClaim } from "../../gateway/src/push/delivery/queries.ts";
import { deleteToken } from "../../gateway/src/push/queries.ts";
import { assignGroup, selectGroups } from "../../gateway/src/sub-user/group/queries.ts";
import { unbindTrackers as gatewayUnbindTrackers } from "../../gateway/src/sub-user/queries.ts";
import { putUiSetting } from "../../gateway/src/user/settings/queries.ts";
import { ROOT, WORKERS, type WorkerName } from "../../scripts/workers.ts";
import { readStats, selectUndelivered } from "../../services/files/src/file/queries.ts";
import { selectCleanupsDue, selectExpired } from "../../services/files/src/file/removal/queries.ts";
import { claimDuePreview } from "../../services/files/src/image/queries.ts";
import { expireSheetsOfAccounts } from "../../services/files/src/sheet/queries.ts";
import { selectProposalInputs } from "../../services/fleet/src/driver-journal/proposal/queries.ts";
import { removeRetranslator } from "../../services/fleet/src/forwarding/retranslator/queries.ts";
import { selectUndeliveredTargets } from "../../services/fleet/src/forwarding/target-queries.ts";
import { selectUndeliveredEvents } from "../../services/fleet/src/history/event-queries.ts";
import { countUnread } from "../../services/fleet/src/history/queries.ts";
import { deleteEvents } from "../../services/fleet/src/history/retention-queries.ts";
import { deleteEndedImports, selectFailed, selectImports } from "../../services/fleet/src/import/queries.ts";
import { deliver as fleetDeliver } from "../../services/fleet/src/outbox/audit.ts";
import { avatars as fleetAvatars } from "../../services/fleet/src/outbox/avatar-queries.ts";
import { removeDepartment } from "../../services/fleet/src/people/department/queries.ts";
import { selectLastChange } from "../../services/fleet/src/people/driver-change/queries.ts";
import { selectEmployees } from "../../services/fleet/src/people/employee/queries.ts";
import { selectCodes } from "../../services/fleet/src/registration/activation-code/queries.ts";
import { selectRemovingTags } from "../../services/fleet/src/tag/removal-queries.ts";
import { selectOfferedTariffs } from "../../services/fleet/src/tariff/choice-queries.ts";
import { requireIgnition } from "../../services/fleet/src/telemetry/counter/queries.ts";
import { selectAssignments } from "../../services/fleet/src/telemetry/report/queries.ts";
import { selectSensors } from "../../services/fleet/src/telemetry/sensor/queries.ts";
import { selectPendingDevices } from "../../services/fleet/src/tracker/device-outbox-queries.ts";
import {
  eraseRemovedTrackers,
  selectTrackersRemovedBefore,
} from "../../services/fleet/src/tracker/removal/erasure-queries.ts";
import { selectClones } from "../../services/fleet/src/tracker/removal/queries.ts";
import { removeVehicles, selectVehicles } from "../../services/fleet/src/vehicle/queries.ts";
import { selectDueTasks, selectUncheckedTasks } from "../../services/fleet/src/vehicle/service-task/sweep-queries.ts";
import {
  claimExpired as claimExpiredFiles,
  updateFileExpiry,
} from "../../services/fleet/src/vehicle/service-task-file/queries.ts";
import { selectTrackerStatuses } from "../../services/fleet/src/work-status/assignment/queries.ts";
import { selectStatuses } from "../../services/fleet/src/work-status/queries.ts";
import { deliver as geoDeliver } from "../../services/geo/src/audit-outbox.ts";
import { selectUnarchived } from "../../services/geo/src/chunk/archive/queries.ts";
import { deleteChunks, selectChunkPages } from "../../services/geo/src/chunk/queries.ts";
import { deleteDevices } from "../../services/geo/src/chunk/removed-tracker/queries.ts";
import { selectNearestTown } from "../../services/geo/src/geocoder/gazetteer/nearest-queries.ts";
import { avatars as geoAvatars } from "../../services/geo/src/place/avatar/queries.ts";
import { findByExternalIds } from "../../services/geo/src/place/file/queries.ts";
import { SORTABLE, selectPlaces, selectPlacesAt } from "../../services/geo/src/place/list-queries.ts";
import { removePlace } from "../../services/geo/src/place/queries.ts";
import { selectChanges as geoSelectChanges } from "../../services/geo/src/place/sync/queries.ts";
import { unbindTrackers as geoUnbindTrackers } from "../../services/geo/src/rule/queries.ts";
import { selectZonesAt } from "../../services/geo/src/zone/list-queries.ts";
import { selectNamingRules } from "../../services/geo/src/zone/naming-queries.ts";
import { deliver as reportsDeliver } from "../../services/reports/src/outbox/audit.ts";
import {
  selectMailDue,
  selectRemoved,
  selectReports,
  selectUnleased,
} from "../../services/reports/src/report/queries.ts";
import { selectSchedules } from "../../services/reports/src/schedule/queries.ts";
import { selectDue as reportsSelectDue } from "../../services/reports/src/schedule/sweep-queries.ts";
import { selectFirstPage } from "../../services/tasks/src/checkin/queries.ts";
import { claimExpired } from "../../services/tasks/src/file/queries.ts";
import { countUses } from "../../services/tasks/src/form/template/queries.ts";
import { deliver as tasksDeliver } from "../../services/tasks/src/outbox/audit.ts";
import { selectByToken, selectRecord } from "../../services/tasks/src/record/queries.ts";
import { sweepRemovedTrackers } from "../../services/tasks/src/removal/tracker-queries.ts";
import { selectCheckins } from "../../services/tasks/src/report-source/queries.ts";
import { requireAnySchedule } from "../../services/tasks/src/schedule/any/queries.ts";
import { selectDue as tasksSelectDue } from "../../services/tasks/src/schedule/sweep-queries.ts";
import { sweepZones } from "../../services/tasks/src/schedule/zone-queries.ts";
import { selectChanges as tasksSelectChanges } from "../../services/tasks/src/sync/pull/queries.ts";
import { requireAnyTask } from "../../services/tasks/src/task/any/queries.ts";
import { sweepDeadlines } from "../../services/tasks/src/task/deadline-queries.ts";
import { selectFormsWithoutAreas } from "../../services/tasks/src/task/form/area-queries.ts";
import { countVisibleTasks } from "../../services/tasks/src/task/list-queries.ts";
import { countExternalIds, removeTask } from "../../services/tasks/src/task/queries.ts";
import { selectChangedWork, selectStops } from "../../services/tasks/src/task/visit/stop-queries.ts";
import { nobody } from "../../shared/caller/principal.ts";
import { type Database, type DatabaseClient, databaseOf } from "../../shared/database/open.ts";
import { selectObjects } from "../../shared/database/rows.ts";
import { newDatabaseFile } from "../tool/database/file.ts";

/** Statements that read or write by means of an index. */
type IndexedQuery = { name: string; step: "SEARCH" | "SCAN"; statements(db: Database): Promise<Statement[]> };
type Statement = Parameters<DatabaseClient["execute"]>[0];
type Query<Arguments extends unknown[]> = (db: Database, ...given: Arguments) => unknown;

/** A query that searches the index for a value. */
function query<Arguments extends unknown[]>(run: Query<Arguments>, ...given: Arguments): IndexedQuery {
  return { name: run.name, step: "SEARCH", statements: () => statementsOf((db) => run(db, ...given)) };
}

/** A query that reads a whole partial index, which holds few rows. */
function scan<Arguments extends unknown[]>(run: Query<Arguments>, ...given: Arguments): IndexedQuery {
  return { ...query(run, ...given), step: "SCAN" };
}

/** The statements of a trigger, which plans of the statements that fire it leave out. */
function trigger(name: string): IndexedQuery {
  async function statements(db: Database) {
    const [body] = await selectObjects<{ sql: string }>(db, sql`SELECT sql FROM sqlite_master WHERE name = ${name}`);
    const texts = (/BEGIN(.*)END/s.exec(body?.sql ?? "")?.[1] ?? "").split(";").filter((text) => text.trim());
    return texts.map((text) => text.replaceAll(/\b(?:old|new)\.\w+/g, "1"));
  }
  return { name, step: "SEARCH", statements };
}

const NOW = 1_700_000_000_000;
const CALLER = { ...nobody("none"), account_id: 1, user_id: 1, dealer_id: 1, scope: "all" as const };
const ACTOR = { account_id: 1, user_id: 1, host: "", user_agent: "", action_date: NOW };
const FEED = { account_id: 1, tracker_id: 1 };
const RANGE = { from: 0, to: NOW };
const POSITION = { lat: 50, lng: 8 };
const SEARCH = { limit: 10, offset: 0, sort: null, filter: null };
const RETENTION = { now: NOW, since: null, removedBefore: null };
const AUDIT_LOG = { record: async () => undefined };
const MAIL = {
  ...{ event_id: "1", account_id: 1, dealer_id: 1, to: "", subject: "", text: "", html: "" },
  ...{ created: NOW, due: NOW },
};
const EVENT = {
  ...{ event_id: "1", account_id: 1, stored: NOW, private_to: null },
  entry: {
    ...{ id: 1, type: "tracker" as const, is_read: false, message: "", time: NOW, event: "online" as const },
    ...{ tracker_id: 1, track_id: 0, location: null, address: "", extra: {} },
  },
};
const PLACES = { place_ids: null, conditions: undefined, texts: 0, filter: null, tag_ids: [], offset: 0 };
const CHECKINS = { condition: [], texts: 0, order: [], now: NOW, offset: 0 };
const PICTURE_HOLDER = {
  ...{ owner: "place" as const, id: 1, demands: {}, current: sql`NULL` },
  change(): never {
    throw new Error("announcing a picture changes nothing yet");
  },
};
const PICTURE = { name: "a", size: 1 };

/** Each index that is partial, on an expression or on several columns, and not unique, with a query that it serves. */
const QUERIES: Record<WorkerName, Record<string, IndexedQuery>> = {
  gateway: {
    audit_account_date: query(deleteEntries, NOW),
    event_account_stored: query(deleteOldEvents, NOW),
    credential_account: query(selectSessions, CALLER, NOW),
    mail_dealer: query(selectMail, CALLER, 10),
    mail_waiting: query(claimDueMails, NOW, NOW),
    mail_account: query(insertNotices, [MAIL], [], { now: NOW, defaultLimit: 1 }),
    push_delivery_open: query(deleteToken, CALLER),
    push_token_account: query(insertDeliveries, [EVENT], ["w3c_pushapi"], NOW),
    push_token_due: query(storeAttemptsAndClaim, [], { now: NOW, until: NOW, limit: 10 }),
    security_group_account: query(selectGroups, CALLER),
    sub_user_tracker_account: query(gatewayUnbindTrackers, CALLER, 1, [1], ACTOR),
    ui_setting_account: query(putUiSetting, CALLER, "key", "value"),
    user_master: query(assignGroup, CALLER, 1, [1], ACTOR),
    user_dealer: query(changeBlocking, CALLER, 1, "NOT_BLOCKED"),
  },
  files: {
    file_held: query(readStats, 1, NOW),
    file_expires_of_account: query(selectExpired, NOW, 10),
    file_undelivered_of_account: query(selectUndelivered, 10),
    file_cleanup_due: query(selectCleanupsDue, NOW, 10),
    file_previews_due: query(claimDuePreview, NOW, { retryAt: NOW, tries: 3 }),
    sheet_user: query(expireSheetsOfAccounts, [1], NOW),
  },
  fleet: {
    avatar_account: query(fleetAvatars.announceAvatar, CALLER, PICTURE_HOLDER, PICTURE, NOW),
    avatar_expires: query(fleetAvatars.selectExpiredAvatars, NOW, 10),
    event_account_tracker: query(eraseRemovedTrackers, [1], 10),
    event_account_time: query(deleteEvents, NOW, 10),
    event_account_id: query(countUnread, CALLER, NOW, RETENTION),
    event_undelivered: query(selectUndeliveredEvents, 10),
    retranslated_tracker_account: query(removeRetranslator, CALLER, 1, ACTOR),
    retranslated_tracker_pending: query(selectUndeliveredTargets),
    tracker_retranslator_retranslator: query(removeRetranslator, CALLER, 1, ACTOR),
    import_process_account: query(selectImports, CALLER, ["employee"]),
    import_process_status: query(deleteEndedImports, NOW),
    import_remark_process: query(selectFailed, CALLER, "employee", 1),
    audit_outbox_account: query(fleetDeliver, AUDIT_LOG),
    driver_change_tracker: query(selectLastChange, CALLER, 1),
    driver_change_employee: query(selectAssignments, CALLER, 1, RANGE),
    employee_account_department: query(removeDepartment, CALLER, 1, ACTOR),
    employee_account_first_name: query(selectEmployees, CALLER, { ...SEARCH, sort: ["first_name=asc"] }),
    employee_account_email: query(selectEmployees, CALLER, { ...SEARCH, sort: ["email=asc"] }),
    journal_entry_tracker: query(selectProposalInputs, CALLER, 1, RANGE),
    activation_code_dealer: query(selectCodes, CALLER, { used: null, offset: 0, limit: 10 }),
    tag_removing: query(selectRemovingTags, NOW, 10),
    counter_segment_counter: query(requireIgnition, CALLER, 1),
    sensor_account_tracker: query(selectSensors, CALLER, 1),
    removed_tracker_source: query(selectPendingDevices, 10),
    removed_tracker_unerased: query(selectTrackersRemovedBefore, NOW, 10),
    source_account: query(selectOfferedTariffs, CALLER),
    tracker_source: query(selectClones, CALLER, 1),
    service_task_file_expires: query(claimExpiredFiles, NOW, 10),
    service_task_with_files: query(updateFileExpiry, CALLER, NOW),
    service_task_vehicle: query(removeVehicles, CALLER, [1], ACTOR),
    service_task_due: query(selectDueTasks, NOW, 10),
    service_task_checked: query(selectUncheckedTasks, NOW, 10),
    vehicle_account_label: query(selectVehicles, CALLER, { ...SEARCH, sort: ["label=asc"] }),
    vehicle_account_reg_number: query(selectVehicles, CALLER, { ...SEARCH, sort: ["reg_number=asc"] }),
    vehicle_account_model: query(selectVehicles, CALLER, { ...SEARCH, sort: ["model=asc"] }),
    status_change_tracker: query(selectTrackerStatuses, CALLER, [1]),
    status_listing_position: query(selectStatuses, CALLER, 1),
  },
  geo: {
    audit_outbox_account: query(geoDeliver, AUDIT_LOG),
    avatar_account: query(geoAvatars.announceAvatar, CALLER, PICTURE_HOLDER, PICTURE, NOW),
    avatar_expires: query(geoAvatars.selectExpiredAvatars, NOW, 10),
    chunk_account_tracker_to: query(selectChunkPages, [{ account_id: 1, tracker_id: 1, ...RANGE }]),
    chunk_unarchived: query(selectUnarchived, FEED, 0, NOW),
    chunk_object: query(deleteChunks, FEED, [1]),
    device_account: query(deleteDevices, 1, [1]),
    gazetteer_place_block: query(selectNearestTown, POSITION),
    place_change_revision: query(geoSelectChanges, CALLER, { revision: 1, after: null }),
    place_account_cell: query(selectPlacesAt, CALLER, POSITION),
    place_account_external: query(findByExternalIds, CALLER, ["a"]),
    place_account_label: query(selectPlaces, CALLER, { ...PLACES, by: SORTABLE.label }),
    place_account_searched: query(selectPlaces, CALLER, { ...PLACES, filter: "depot" }),
    rule_tracker_account: query(geoUnbindTrackers, CALLER, 1, [1], ACTOR),
    rule_zone_account: query(selectNamingRules, CALLER, [1]),
    sub_user_binding_account: query(removePlace, CALLER, 1, ACTOR),
    zone_account_cell: query(selectZonesAt, CALLER, POSITION),
  },
  reports: {
    audit_outbox_account: query(reportsDeliver, AUDIT_LOG),
    report_schedule_user: query(selectSchedules, CALLER),
    report_schedule_next_run: query(reportsSelectDue, NOW, 10),
    report_user: query(selectReports, CALLER),
    report_waiting: query(selectUnleased, NOW, 10),
    report_mail: query(selectMailDue, 10),
    report_removed: scan(selectRemoved, 10),
  },
  tasks: {
    checkin_account_time: query(selectCheckins, CALLER, { tracker_id: 1, after: null, ...RANGE }, NOW),
    checkin_account_tracker: query(selectFirstPage, { ...CALLER, scope: [1] }, CHECKINS),
    file_form: query(selectByToken, "token"),
    file_checkin: trigger("form_of_checkin"),
    file_expires: query(claimExpired, NOW, 10),
    form_account_template: query(countUses, CALLER, 1),
    form_unnamed: query(selectFormsWithoutAreas, 10),
    audit_outbox_account: query(tasksDeliver, AUDIT_LOG),
    record_thing: query(selectRecord, CALLER, "checkin", 1),
    account_zone_pending: scan(sweepZones),
    task_schedule_account_tracker: query(sweepRemovedTrackers, NOW),
    task_schedule_account_parent: query(requireAnySchedule, CALLER, 1),
    task_schedule_next_run: query(tasksSelectDue, NOW, 10),
    sync_change_revision: query(tasksSelectChanges, CALLER, { revision: 1, after: null }),
    task_history_account_task: query(removeTask, CALLER, 1, ACTOR),
    task_account_type: query(countVisibleTasks, CALLER),
    task_account_tracker: query(sweepRemovedTrackers, NOW),
    task_account_external: query(countExternalIds, CALLER, ["a"]),
    task_account_parent: query(requireAnyTask, CALLER, 1),
    task_tracker_deadline: query(selectStops, FEED, NOW),
    task_deadline: query(sweepDeadlines, NOW),
    removed_tracker_pending: query(sweepRemovedTrackers, NOW),
    tracker_clone_feed: query(selectStops, FEED, NOW),
    tracker_work_revision: query(selectChangedWork, 1, 1),
  },
};

/** The comment that names the query of an index, directly above its declaration. */
const DECLARATION = /(?:\/\/ Serves (?<query>\w+)\.\n\s*)?index\("(?<index>\w+)"\)/g;

describe.each(WORKERS)("indexes of %s", (worker) => {
  let file: Awaited<ReturnType<typeof newDatabaseFile>>;
  beforeAll(async () => {
    file = await newDatabaseFile(worker);
  });
  afterAll(() => file.close());

  test(`QUERIES has a query for each index of ${worker} that is partial, on an expression or on several columns`, async () => {
    const indexes = await selectObjects<{ name: string }>(
      file.db,
      sql`SELECT name FROM sqlite_master AS entry WHERE type = 'index' AND sql LIKE 'CREATE INDEX%' AND (sql LIKE '% WHERE %'
        OR (SELECT count(*) > 1 OR max(part.name IS NULL) FROM pragma_index_info(entry.name) AS part))`,
    );
    expect(indexes.map(({ name }) => name).toSorted()).toEqual(Object.keys(QUERIES[worker]).toSorted());
  });

  test(`declarations of indexes of ${worker} name their queries in a comment`, () => {
    const own = worker === "gateway" ? "gateway" : `services/${worker}`;
    const files = globSync([`${own}/src/table/**/*.ts`, "shared/database/**/*.ts"], { cwd: ROOT });
    const declared = files.flatMap((path) => [...readFileSync(join(ROOT, path), "utf8").matchAll(DECLARATION)]);
    const named = declared.map(({ groups }) => [groups?.index, groups?.query]);
    const expected = Object.entries(QUERIES[worker]).map(([index, { name }]) => [index, name]);
    expect(named).toEqual(expect.arrayContaining(expected));
  });

  test.each(Object.entries(QUERIES[worker]))(
    `index %s of ${worker} is in the plan of its query`,
    async (index, query) => {
      const statements = await query.statements(file.db);
      const plans = await Promise.all(statements.map((statement) => planOf(file.db, statement)));
      expect(plans.flat()).toContainEqual(expect.stringMatching(new RegExp(`^${query.step} .*INDEX ${index}( |$)`)));
    },
  );
});

/** The statements that a query sends to a database in which it finds nothing. */
async function statementsOf(run: (db: Database) => unknown): Promise<Statement[]> {
  const sent: Statement[] = [];
  const client: DatabaseClient = {
    async execute(statement) {
      sent.push(statement);
      return { columns: [], rows: [] };
    },
    batch: (statements) => Promise.all(statements.map((statement) => client.execute(statement))),
  };
  // Many queries refuse to go on without rows.
  await Promise.resolve(run(databaseOf(client))).catch(() => undefined);
  return sent;
}

/** The steps of the database's plan of the statement. */
async function planOf(db: Database, statement: Statement): Promise<unknown[]> {
  const { sql: text, args } = typeof statement === "string" ? { sql: statement, args: [] } : statement;
  const { columns, rows } = await db.$client.execute({ sql: `EXPLAIN QUERY PLAN ${text}`, args });
  return rows.map((row) => row[columns.indexOf("detail")]);
}
