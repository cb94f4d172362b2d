import { nowMs } from "#shared/clock.ts";
import { openDatabase } from "#shared/database.ts";
import type { Answer, Asked } from "#shared/operation.ts";
import type { Principal } from "#shared/principal.ts";
import { serviceOf } from "#shared/service.ts";
import { forgetTags, type RemovedTag, type TagCarrier, type WantedTagged } from "#shared/tag-binding/owner.ts";
import { deliverAudit, tellSoon } from "./audit/deliver.ts";
import { deliverEvents } from "./event-outbox/deliver.ts";
import { operations } from "./operations.ts";
import { removeAccounts } from "./removed-account/queries.ts";
import { sweepSchedules } from "./schedule/sweep.ts";
import { removedTag, type Tagged, tagBinding } from "./tag-binding/table.ts";
import { taggedWith } from "./tag-binding/tagged.ts";
import { sweepDeadlines } from "./task/sweep.ts";

/** All that other Workers may ask. No public route leads here, so `principal` is trusted. */
export default class TasksService extends serviceOf(operations) implements TagCarrier<Tagged> {
  /** What a call changed the audit log hears of, a moment later. */
  override async handle(asked: Asked, principal: Principal): Promise<Answer> {
    const answer = await super.handle(asked, principal);
    if (!READING.has(asked.path)) tellSoon(this.env);
    return answer;
  }

  taggedWith(principal: Principal, wanted: WantedTagged<Tagged>) {
    return taggedWith(this.env, principal, wanted);
  }

  forgetTags(tags: RemovedTag[]) {
    return forgetTags(openDatabase(this.env), tagBinding, removedTag, tags);
  }

  /** All that is here of accounts that are no more, so nobody's rights are asked. Told twice, it changes nothing. */
  removeAccounts(account_ids: number[]) {
    return removeAccounts(openDatabase(this.env), account_ids);
  }

  override async scheduled() {
    const [db, now] = [openDatabase(this.env), nowMs(this.env)];
    // None waits for what another needs.
    const done = await Promise.allSettled([
      deliverAudit(this.env),
      sweepSchedules(db, now),
      sweepDeadlines(db, now).finally(() => deliverEvents(this.env)),
    ]);
    for (const one of done) if (one.status === "rejected") throw one.reason;
  }
}

const READING = new Set(operations.filter(({ reads }) => reads).map(({ path }) => path));
