import { getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterAll, expect, test } from "vitest";
import { claimDueMails } from "../../gateway/src/mail/queries.ts";
import { storeAttemptsAndClaim } from "../../gateway/src/push/delivery/queries.ts";
import { mail } from "../../gateway/src/table/mail.ts";
import { pushToken } from "../../gateway/src/table/push/push-token.ts";
import type { WorkerName } from "../../scripts/workers.ts";
import { selectUndelivered as selectUntold } from "../../services/files/src/file/queries.ts";
import { selectCleanupsDue, selectExpired } from "../../services/files/src/file/removal/queries.ts";
import { file } from "../../services/files/src/table/file.ts";
import { selectUndeliveredTargets } from "../../services/fleet/src/forwarding/target-queries.ts";
import { selectUndeliveredEvents } from "../../services/fleet/src/history/event-queries.ts";
import { selectActivities } from "../../services/fleet/src/outbox/activity-queries.ts";
import { selectMail } from "../../services/fleet/src/outbox/mail-queries.ts";
import { selectTrackerRemovals } from "../../services/fleet/src/outbox/tracker-removal-queries.ts";
import { selectUndeliveredClones } from "../../services/fleet/src/outbox/undelivered-clone-queries.ts";
import { event } from "../../services/fleet/src/table/event.ts";
import { retranslatedTracker } from "../../services/fleet/src/table/forwarding/retranslated-tracker.ts";
import { activity } from "../../services/fleet/src/table/outbox/activity.ts";
import { deviceOutbox } from "../../services/fleet/src/table/outbox/device-outbox.ts";
import { mailOutbox } from "../../services/fleet/src/table/outbox/mail-outbox.ts";
import { trackerRemoval } from "../../services/fleet/src/table/outbox/tracker-removal.ts";
import { undeliveredClone } from "../../services/fleet/src/table/outbox/undelivered-clone.ts";
import { tag } from "../../services/fleet/src/table/tag/tag.ts";
import { source } from "../../services/fleet/src/table/tracker/source.ts";
import { tracker } from "../../services/fleet/src/table/tracker/tracker.ts";
import { serviceTask } from "../../services/fleet/src/table/vehicle/service-task.ts";
import { serviceTaskFile } from "../../services/fleet/src/table/vehicle/service-task-file.ts";
import { vehicle } from "../../services/fleet/src/table/vehicle/vehicle.ts";
import { selectRemovingTags } from "../../services/fleet/src/tag/removal-queries.ts";
import { selectPendingDevices } from "../../services/fleet/src/tracker/device-outbox-queries.ts";
import { selectDueTasks, selectUncheckedTasks } from "../../services/fleet/src/vehicle/service-task/sweep-queries.ts";
import { claimExpired as takeUnnamed } from "../../services/fleet/src/vehicle/service-task-file/queries.ts";
import { claimExpired as takeUnneeded } from "../../services/tasks/src/file/queries.ts";
import { selectEvents } from "../../services/tasks/src/outbox/event-queries.ts";
import { selectDue as selectDueSchedules } from "../../services/tasks/src/schedule/sweep-queries.ts";
import { file as workFile } from "../../services/tasks/src/table/file.ts";
import { auditOutbox } from "../../services/tasks/src/table/outbox/audit-outbox.ts";
import { eventOutbox } from "../../services/tasks/src/table/outbox/event-outbox.ts";
import { taskSchedule } from "../../services/tasks/src/table/schedule/task-schedule.ts";
import { task } from "../../services/tasks/src/table/task/task.ts";
import { sweepDeadlines } from "../../services/tasks/src/task/deadline-queries.ts";
import type { AuditEntry } from "../../shared/caller/audit.ts";
import { recordsIn } from "../../shared/database/audit-outbox.ts";
import type { Database } from "../../shared/database/open.ts";
import { newDatabaseFile } from "../tool/database/file.ts";
import { effort } from "../tool/effort.ts";

/** Whose many things wait, and whose one does, which came last. */
const [BUSY, CALM] = [7, 8];
const WAITING_COUNT = effort({ few: 3000, many: 12_000 });
const NOW = 1_000_000;

type Queue = {
  worker: WorkerName;
  table: SQLiteTable;
  /** Inserts the things that the rows belong to. */
  needs?(db: Database, owners: number[]): Promise<void>;
  /** The columns that make the nth row wait; all other columns may have any value. */
  waits(n: number, account_id: number): Record<string, unknown>;
  /** The accounts of what one part takes, or those of what a whole sweep has done. */
  taken(db: Database): Promise<(number | undefined)[]>;
  /** How many that is at the least. */
  part?: number;
};

/** Service tasks are of vehicles. */
function fillVehicles(db: Database) {
  return fill(
    db,
    vehicle,
    [BUSY, CALM].map((id) => ({ id, account_id: id })),
  );
}

const ofTask = ({ task: { account_id } }: { task: { account_id: number } }) => account_id;
const ofRow = ({ account_id }: { account_id: number }) => account_id;

const QUEUES: Record<string, Queue> = {
  "service tasks by date": {
    worker: "fleet",
    table: serviceTask,
    needs: fillVehicles,
    waits: (n, vehicle_id) => ({ due_at: n, checked_at: null, vehicle_id }),
    taken: async (db) => (await selectDueTasks(db, NOW, 500)).map(ofTask),
  },
  "service tasks by counters": {
    worker: "fleet",
    table: serviceTask,
    needs: fillVehicles,
    waits: (n, vehicle_id) => ({ due_at: null, checked_at: n, vehicle_id }),
    taken: async (db) => (await selectUncheckedTasks(db, NOW, 500)).map(ofTask),
  },
  "mails of service tasks": {
    worker: "fleet",
    table: mailOutbox,
    waits: () => ({}),
    taken: async (db) => (await selectMail(db, 500)).map(ofRow),
  },
  "events to be notified of": {
    worker: "fleet",
    table: event,
    waits: (n) => ({ undelivered_since: n }),
    taken: async (db) => (await selectUndeliveredEvents(db, 100)).map(ofRow),
  },
  "words on devices to geo": {
    worker: "fleet",
    table: deviceOutbox,
    waits: () => ({}),
    taken: async (db) => (await selectPendingDevices(db, 500)).map(ofRow),
  },
  "words on trackers to tasks": {
    worker: "fleet",
    table: trackerRemoval,
    waits: () => ({}),
    taken: async (db) => (await selectTrackerRemovals(db, 500)).map(ofRow),
  },
  "words on clones to tasks": {
    worker: "fleet",
    table: undeliveredClone,
    waits: () => ({}),
    taken: async (db) => (await selectUndeliveredClones(db, 500)).map(ofRow),
  },
  "what rules watch": {
    worker: "fleet",
    table: activity,
    waits: () => ({}),
    taken: async (db) => (await selectActivities(db, 500)).map(ofRow),
  },
  "tags on their way out": {
    worker: "fleet",
    table: tag,
    waits: () => ({ removing: 1 }),
    taken: async (db) => (await selectRemovingTags(db, NOW, 500)).map(ofRow),
  },
  "targets of feeds": {
    worker: "fleet",
    table: retranslatedTracker,
    part: 50,
    async needs(db, owners) {
      const ofOwners = owners.map((account_id) => ({ account_id }));
      await fill(db, source, ofOwners);
      await fill(db, tracker, ofOwners);
    },
    waits: () => ({ pending: 1 }),
    taken: async (db) => (await selectUndeliveredTargets(db)).map(ofRow),
  },
  mails: {
    worker: "gateway",
    table: mail,
    waits: (n) => ({ due: n }),
    taken: async (db) => (await claimDueMails(db, NOW, NOW)).map((row) => row.account_id ?? undefined),
  },
  "mails of log-ins": {
    worker: "gateway",
    table: mail,
    waits: (n, dealer_id) => ({ due: n, account_id: null, dealer_id }),
    taken: async (db) => (await claimDueMails(db, NOW, NOW)).map(({ dealer_id }) => dealer_id),
  },
  "push tokens": {
    worker: "gateway",
    table: pushToken,
    part: 5,
    waits: (n) => ({ due: n }),
    async taken(db) {
      await storeAttemptsAndClaim(db, [], { now: NOW, until: NOW, limit: 5 });
      return (await db.select().from(pushToken).where(sql`due IS NULL`)).map(ofRow);
    },
  },
  "files of service tasks that none names": {
    worker: "fleet",
    table: serviceTaskFile,
    waits: (n) => ({ expires: n, state: "uploaded" }),
    taken: async (db) => (await takeUnnamed(db, NOW, 500)).map(ofRow),
  },
  "files of check-ins and forms that nothing names": {
    worker: "tasks",
    table: workFile,
    waits: (n) => ({ expires: n, state: "uploaded" }),
    taken: async (db) => (await takeUnneeded(db, NOW, 500)).map(ofRow),
  },
  "files to be removed": {
    worker: "files",
    table: file,
    waits: (n) => ({ expires: n, state: "deleted" }),
    taken: async (db) => (await selectExpired(db, NOW, 200)).map(ofRow),
  },
  "files that attempts may have left something of": {
    worker: "files",
    table: file,
    waits: (n) => ({ cleanup_due: n }),
    taken: async (db) => (await selectCleanupsDue(db, NOW, 200)).map(ofRow),
  },
  "uploads that services are to hear of": {
    worker: "files",
    table: file,
    waits: (n) => ({ undelivered_since: n }),
    taken: async (db) => (await selectUntold(db, 500)).map(ofRow),
  },
  schedules: {
    worker: "tasks",
    table: taskSchedule,
    waits: (n) => ({ next_run: n }),
    taken: async (db) => (await selectDueSchedules(db, NOW, 500)).map(ofRow),
  },
  "task deadlines": {
    worker: "tasks",
    table: task,
    waits: (n) => ({ type: "task", status: "assigned", deadline: n, schedule_date: String(n) }),
    async taken(db) {
      await sweepDeadlines(db, NOW);
      const failed = await db.select({ account_id: task.account_id }).from(task).where(sql`status = 'failed'`);
      return failed.map(ofRow);
    },
  },
  "events of tasks": {
    worker: "tasks",
    table: eventOutbox,
    waits: () => ({}),
    taken: async (db) => (await selectEvents(db, 500)).map(ofRow),
  },
  "audit entries": {
    worker: "tasks",
    table: auditOutbox,
    waits: (_, account_id) => ({ entry: JSON.stringify({ account_id }) }),
    async taken(db) {
      const rows: number[] = [];
      const record = async (entries: AuditEntry[]) => {
        rows.push(...entries.map(ofRow));
        throw new Error("enough");
      };
      await recordsIn(auditOutbox)
        .deliver(db, { record })
        .catch(() => undefined);
      return rows;
    },
  },
};

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

test.for(Object.entries(QUEUES))(
  "the queue of %s serves an account with one due row beside another account's thousands",
  async ([, { worker, table, needs, waits, taken, part = 100 }]) => {
    const db = await newDatabase(worker);
    const owners = Array.from({ length: WAITING_COUNT + 1 }, (_, index) => (index < WAITING_COUNT ? BUSY : CALM));
    await needs?.(db, owners);
    await fill(
      db,
      table,
      owners.map((account_id, index) => ({ account_id, ...waits(index + 1, account_id) })),
    );
    const accounts = await taken(db);
    expect(accounts.filter((id) => id === CALM)).toHaveLength(1);
    // The busy account fills the rest of the part.
    expect(accounts.length).toBeGreaterThanOrEqual(part);
  },
);

async function newDatabase(worker: WorkerName): Promise<Database> {
  const { db, close } = await newDatabaseFile(worker);
  closing.push(close);
  return db;
}

/** Inserts all rows by one statement, as one for each row would take minutes. Columns that a row lacks get any value. */
async function fill(db: Database, table: SQLiteTable, rows: Record<string, unknown>[]) {
  const columns = Object.values(getTableColumns(table));
  const whole = rows.map((row, index) => ({
    ...Object.fromEntries(columns.map((column) => [column.name, anyValue(column, index + 1)])),
    ...row,
  }));
  const names = columns.map(({ name }) => sql.identifier(name));
  const values = columns.map(({ name }) => sql.raw(`value ->> '${name}'`));
  await db.run(
    sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(values, sql`, `)}
      FROM json_each(${JSON.stringify(whole)})`,
  );
}

function anyValue({ name, notNull, columnType, enumValues }: SQLiteColumn, n: number) {
  if (!notNull) return null;
  if (columnType === "SQLiteTextJson") return LISTS.includes(name) ? "[]" : "{}";
  if (columnType === "SQLiteBoolean") return 0;
  return columnType === "SQLiteText" ? (enumValues?.[0] ?? `text ${n}`) : n;
}

const LISTS = ["sms_phones", "emails", "file_ids"];
