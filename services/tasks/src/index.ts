import { awaitAll } from "#shared/background/await-all.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { UploadedFile } from "#shared/contract/file/file-ticket.ts";
import type { FileKeeper } from "#shared/contract/files.ts";
import type { ChangedWork, StopList, VisitedWork, VisitingTracker, VisitReport } from "#shared/contract/point/visit.ts";
import type { AccountRecords } from "#shared/contract/removal.ts";
import type {
  FilledForm,
  RecordCursor,
  RecordPage,
  RecordSearch,
  ReportCheckin,
  ReportTask,
  ReportWork,
} from "#shared/contract/report-source.ts";
import type { ApiService } from "#shared/contract/service.ts";
import type { TaggedPage, TaggedSearch } from "#shared/contract/tag.ts";
import type {
  AccountDays,
  AccountZone,
  RemovedTracker,
  TaskTags,
  TrackerClone,
  TrackerWork,
} from "#shared/contract/tasks.ts";
import { deleteOldKeys } from "#shared/database/idempotency/queries.ts";
import { openDatabase } from "#shared/database/open.ts";
import { deleteTagBindings } from "#shared/database/tag-binding/owner.ts";
import type { RemovedTag } from "#shared/database/tag-binding/table.ts";
import { serviceOf } from "#shared/operation/service.ts";
import { forgetChanges } from "#shared/sync/forget-queries.ts";
import { nowMs } from "#shared/time/clock.ts";
import { QUEUES } from "./backlog-queries.ts";
import { describe } from "./description.ts";
import { markUploaded, releaseFiles, removeExpired, selectUnreferenced } from "./file/queries.ts";
import { isFileVisible } from "./file-access-queries.ts";
import { finishSubmissions } from "./form/finish-submissions.ts";
import { operations } from "./operations.ts";
import { deliverAudit } from "./outbox/deliver-audit.ts";
import { deliverEvents } from "./outbox/deliver-events.ts";
import { recordChangesLater } from "./record/record-changes-later.ts";
import { sealRecords } from "./record/seal.ts";
import { removeAccounts } from "./removal/account-queries.ts";
import { storeRemovedTrackers, sweepRemovedTrackers } from "./removal/tracker-queries.ts";
import { selectCheckins, selectForms, selectTasks } from "./report-source/queries.ts";
import { sweepSchedules } from "./schedule/sweep.ts";
import { storeZones, sweepZones } from "./schedule/zone-queries.ts";
import { deleteOldItems } from "./sync/done-queries.ts";
import { syncChange } from "./table/sync/sync-change.ts";
import { syncRevision } from "./table/sync/sync-revision.ts";
import { removedTag } from "./table/tag/removed-tag.ts";
import { type TaggedEntity, tagBinding } from "./table/tag/tag-binding.ts";
import { taggedWith } from "./tag-search/search.ts";
import { sweepDeadlines } from "./task/deadline-queries.ts";
import { resolveAreas } from "./task/form/resolve-areas.ts";
import { resolveAreasAfterSubmission } from "./task/form/resolve-areas-later.ts";
import { deleteOldTourCounts } from "./task/tour/count-queries.ts";
import { announceStopChanges } from "./task/visit/announce-stop-changes.ts";
import { insertClones } from "./task/visit/clone-queries.ts";
import { storeVisits } from "./task/visit/queries.ts";
import { selectChangedWork, selectStops } from "./task/visit/stop-queries.ts";

// Feeds learn of changed stops before the call is answered, the audit log learns of all changes shortly after it.
const Service = serviceOf(operations, describe, QUEUES, {
  worker: "tasks",
  beforeAnswer: announceStopChanges,
  afterChange(env, operation) {
    recordChangesLater(env);
    resolveAreasAfterSubmission(env, operation);
    finishSubmissions(env, operation);
  },
});

/**
 * The RPC entrypoint. No public route leads here, so `principal` is trusted; the interfaces say what each method
 * promises.
 */
export default class TasksService
  extends Service
  implements ApiService, TaskTags, AccountRecords, TrackerWork, VisitedWork, AccountDays, FileKeeper, ReportWork
{
  taggedWith(principal: Principal, search: TaggedSearch<TaggedEntity>): Promise<TaggedPage> {
    return taggedWith(this.env, principal, search);
  }

  deleteTagBindings(tags: RemovedTag[]): Promise<void> {
    return deleteTagBindings(openDatabase(this.env), tagBinding, removedTag, tags);
  }

  removeAccounts(account_ids: number[]): Promise<void> {
    return removeAccounts(openDatabase(this.env), account_ids);
  }

  putClones(clones: TrackerClone[]): Promise<void> {
    return insertClones(openDatabase(this.env), clones);
  }

  async removeTrackers(trackers: RemovedTracker[]): Promise<void> {
    await storeRemovedTrackers(openDatabase(this.env), trackers, nowMs(this.env));
    recordChangesLater(this.env);
  }

  changedWork(account_id: number, revision: number): Promise<ChangedWork[]> {
    return selectChangedWork(openDatabase(this.env), account_id, revision);
  }

  stopsOf(tracker: VisitingTracker, since: number): Promise<StopList> {
    return selectStops(openDatabase(this.env), tracker, since);
  }

  async reportVisits(tracker: VisitingTracker, reports: VisitReport[]): Promise<void> {
    await storeVisits(openDatabase(this.env), tracker, reports, nowMs(this.env));
    // Runs after the answer; a failed delivery is repeated by the next sweep.
    this.ctx.waitUntil(deliverEvents(this.env).catch(() => undefined));
  }

  async putTimeZones(zones: AccountZone[]): Promise<void> {
    const db = openDatabase(this.env);
    await storeZones(db, zones);
    await sweepZones(db);
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
    return isFileVisible(openDatabase(this.env), principal, id, nowMs(this.env));
  }

  tasksIn(principal: Principal, search: RecordSearch): Promise<RecordPage<ReportTask>> {
    return selectTasks(openDatabase(this.env), principal, search);
  }

  checkinsIn(principal: Principal, search: RecordSearch): Promise<RecordPage<ReportCheckin>> {
    return selectCheckins(openDatabase(this.env), principal, search, nowMs(this.env));
  }

  formsIn(principal: Principal, search: RecordSearch): Promise<RecordPage<FilledForm & RecordCursor>> {
    return selectForms(openDatabase(this.env), principal, search);
  }

  override async scheduled() {
    const [db, now] = [openDatabase(this.env), nowMs(this.env)];
    // Independent jobs: none waits for another.
    await awaitAll([
      deliverAudit(this.env),
      sealRecords(this.env),
      resolveAreas(this.env),
      removeExpired(db, this.env.FILES, now),
      deleteOldItems(db, now),
      deleteOldKeys(db, now),
      deleteOldTourCounts(db, now),
      forgetChanges(db, { changes: syncChange, revisions: syncRevision }, now),
      // Removed trackers and changed time zones come first, so that no schedule makes tasks for a removed tracker or by
      // an outdated zone.
      Promise.all([sweepRemovedTrackers(db, now), sweepZones(db)]).finally(() =>
        sweepSchedules(db, this.env.LIMITS, now),
      ),
      sweepDeadlines(db, now, () => deliverEvents(this.env).catch(() => undefined)).finally(() =>
        deliverEvents(this.env),
      ),
    ]);
  }
}
