import { allDone } from "#shared/background/all-done.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { UploadedFile } from "#shared/contract/file-ticket.ts";
import type { FileKeeper } from "#shared/contract/files.ts";
import type { AccountRecords } from "#shared/contract/removal.ts";
import type { ApiService } from "#shared/contract/service.ts";
import type { TaggedPage, TaggedSearch } from "#shared/contract/tag.ts";
import type { AccountDays, AccountZone, RemovedTracker, TaskTags, TrackerWork } from "#shared/contract/tasks.ts";
import { openDatabase } from "#shared/database/open.ts";
import { forgetTags } from "#shared/database/tag-binding/owner.ts";
import type { RemovedTag } from "#shared/database/tag-binding/table.ts";
import { serviceOf } from "#shared/operation/service.ts";
import { nowMs } from "#shared/time/clock.ts";
import { describe } from "./description.ts";
import { deliverUnneeded } from "./file/deliver.ts";
import { noteUploaded, releaseFiles, selectUnnamed } from "./file/queries.ts";
import { operations } from "./operations.ts";
import { deliverAudit, tellSoon } from "./outbox/deliver-audit.ts";
import { deliverEvents } from "./outbox/deliver-events.ts";
import { removeAccounts } from "./removed-account/queries.ts";
import { forgetTrackers, sweepRemovedTrackers } from "./removed-tracker/queries.ts";
import { sweepSchedules } from "./schedule/sweep.ts";
import { rememberZones, sweepZones } from "./schedule/zone-queries.ts";
import { removedTag } from "./table/removed-tag.ts";
import { type Tagged, tagBinding } from "./table/tag-binding.ts";
import { taggedWith } from "./tag-search/tagged.ts";
import { sweepDeadlines } from "./task/deadline-queries.ts";

// What a call changed the audit log hears of a moment later.
const Service = serviceOf(operations, describe, { afterChange: tellSoon });

/** No public route leads here, so `principal` is trusted. What each method promises, its interface says. */
export default class TasksService
  extends Service
  implements ApiService, TaskTags, AccountRecords, TrackerWork, AccountDays, FileKeeper
{
  taggedWith(principal: Principal, search: TaggedSearch<Tagged>): Promise<TaggedPage> {
    return taggedWith(this.env, principal, search);
  }

  forgetTags(tags: RemovedTag[]): Promise<void> {
    return forgetTags(openDatabase(this.env), tagBinding, removedTag, tags);
  }

  removeAccounts(account_ids: number[]): Promise<void> {
    return removeAccounts(openDatabase(this.env), account_ids);
  }

  async forgetTrackers(trackers: RemovedTracker[]): Promise<void> {
    await forgetTrackers(openDatabase(this.env), trackers, nowMs(this.env));
    tellSoon(this.env);
  }

  async putTimeZones(zones: AccountZone[]): Promise<void> {
    const db = openDatabase(this.env);
    await rememberZones(db, zones);
    await sweepZones(db);
  }

  filesUploaded(files: UploadedFile[]): Promise<number[]> {
    return noteUploaded(openDatabase(this.env), files);
  }

  unnamedFiles(account_id: number, ids: number[]): Promise<number[]> {
    return selectUnnamed(openDatabase(this.env), account_id, ids);
  }

  releaseFiles(account_id: number, ids: number[]): Promise<number[]> {
    return releaseFiles(openDatabase(this.env), account_id, ids);
  }

  override async scheduled() {
    const [db, now] = [openDatabase(this.env), nowMs(this.env)];
    // None waits for what another needs.
    await allDone([
      deliverAudit(this.env),
      deliverUnneeded(this.env),
      // No task is made of a schedule whose tracker is no more, and none by a zone that is not the account's any more.
      Promise.all([sweepRemovedTrackers(db, now), sweepZones(db)]).finally(() =>
        sweepSchedules(db, this.env.LIMITS, now),
      ),
      sweepDeadlines(db, now).finally(() => deliverEvents(this.env)),
    ]);
  }
}
