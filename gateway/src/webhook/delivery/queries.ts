import { and, asc, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit/record-queries.ts";
import { eventSequence } from "../../table/event-sequence.ts";
import { user } from "../../table/user.ts";
import { type WebhookRow, webhook } from "../../table/webhook.ts";

type Owner = Pick<Principal, "account_id" | "user_id" | "kind">;
export type NewWebhookRow = Omit<
  WebhookRow,
  "id" | "account_id" | "user_id" | "start_sequence" | "read_sequence" | "created"
>;

/** A master sees all webhooks of the account, a sub-user its own. */
function visibleWebhooks({ account_id, user_id, kind }: Owner) {
  return and(eq(webhook.account_id, account_id), kind === "master" ? undefined : eq(webhook.user_id, user_id));
}

export async function insertWebhook(db: Database, { account_id, user_id }: Owner, row: NewWebhookRow, actor: Actor) {
  const count = sql`(SELECT count(*) FROM ${webhook} WHERE ${eq(webhook.account_id, account_id)})`;
  // It begins behind the latest event of the account.
  const last = sql<number>`coalesce((SELECT ${eventSequence.last} FROM ${eventSequence} WHERE ${eq(eventSequence.account_id, account_id)}), 0)`;
  const { inserted } = await write(db, {
    quota: demand(sql`${count} < ${MAX_WEBHOOKS_PER_ACCOUNT}`, () => new ApiError(268)),
    inserted: db
      .insert(webhook)
      .values({ ...row, account_id, user_id, start_sequence: last, read_sequence: last, created: actor.action_date })
      .returning(),
    record: recordChange(db, actor, {
      is: ["webhook", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: row.label },
    }),
  });
  const [created] = inserted;
  if (!created) throw new Error("the webhook was not inserted");
  return created;
}

export function selectWebhooks(db: Database, owner: Owner): Promise<WebhookRow[]> {
  return db.select().from(webhook).where(visibleWebhooks(owner)).orderBy(asc(webhook.id));
}

/** 201 for an unknown webhook. */
export async function requireWebhook(db: Database, owner: Owner, id: number): Promise<WebhookRow> {
  const row = await db
    .select()
    .from(webhook)
    .where(and(visibleWebhooks(owner), eq(webhook.id, id)))
    .get();
  if (!row) throw new ApiError(201);
  return row;
}

/** New values of columns; an expression is computed of the stored row. */
type WebhookChanges = { [Name in keyof NewWebhookRow]?: NewWebhookRow[Name] | SQL } & { id: number };

/** The columns of a rotation: the secret that is stored until then stays valid until `until`. */
export function toRotatedColumns(secret: string, until: number) {
  return { secret, previous_secret: sql`secret`, previous_until: until };
}

/** The columns of keys: a webhook that has a pair keeps it. Null: it shall have none. */
export function toKeyColumns(pair: { private_key: string; public_key: string } | null) {
  if (!pair) return { private_key: null, public_key: null };
  const { private_key, public_key } = pair;
  return {
    private_key: sql`coalesce(private_key, ${private_key})`,
    public_key: sql`coalesce(public_key, ${public_key})`,
  };
}

/** Changes a webhook; 201 for an unknown one. */
export async function writeWebhook(
  db: Database,
  owner: Owner,
  { id, ...changes }: WebhookChanges,
  action: "update" | "secret_rotate",
  actor: Actor,
): Promise<void> {
  await write(db, {
    updated: db
      .update(webhook)
      // Sets `account_id`, because an update without columns would be an error.
      .set({ account_id: owner.account_id, ...changes })
      .where(and(visibleWebhooks(owner), eq(webhook.id, id))),
    exists: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["webhook", action], entry_id: id }, sql`true`),
  });
}

export async function removeWebhook(db: Database, owner: Owner, id: number, actor: Actor): Promise<void> {
  const label = sql`(SELECT json_object('label', ${webhook.label}) FROM ${webhook} WHERE ${and(visibleWebhooks(owner), eq(webhook.id, id))})`;
  await write(db, {
    // In front of the deletion: the entry reads the label from the row.
    record: recordChange(
      db,
      actor,
      { is: ["webhook", "delete"], entry_id: id, payload: label },
      sql`${label} IS NOT NULL`,
    ),
    deleted: db.delete(webhook).where(and(visibleWebhooks(owner), eq(webhook.id, id))),
    exists: demandChange(() => new ApiError(201)),
  });
}

/** Records in the audit log that a user has tried a webhook; 201 for an unknown webhook. */
export async function recordTest(db: Database, owner: Owner, id: number, actor: Actor): Promise<void> {
  const found = db
    .select()
    .from(webhook)
    .where(and(visibleWebhooks(owner), eq(webhook.id, id)));
  await write(db, {
    exists: demand(exists(found), () => new ApiError(201)),
    record: recordChange(db, actor, { is: ["webhook", "test"], entry_id: id }, sql`true`),
  });
}

/** A webhook for its sender; undefined once it is deleted. */
export function selectWebhook(db: Database, id: number): Promise<WebhookRow | undefined> {
  return db.select().from(webhook).where(eq(webhook.id, id)).get();
}

/** Notes how far the sender has read, so that the sweep wakes only senders that are behind. */
export async function updateReadSequence(db: Database, id: number, read_sequence: number): Promise<void> {
  await db.update(webhook).set({ read_sequence }).where(eq(webhook.id, id));
}

/** Disables a webhook on behalf of the system, unless it is disabled or deleted already. */
export async function disableWebhook(
  db: Database,
  { id, account_id, label }: Pick<WebhookRow, "id" | "account_id" | "label">,
  disabled_reason: "gone" | "failing",
  now: number,
): Promise<void> {
  const nobody = { account_id, user_id: 0, host: "", user_agent: "", action_date: now };
  await write(db, {
    disabled: db
      .update(webhook)
      .set({ enabled: false, disabled_reason })
      .where(and(eq(webhook.id, id), eq(webhook.enabled, true))),
    record: recordChange(db, nobody, {
      is: ["webhook", "disable"],
      entry_id: id,
      payload: { label, reason: disabled_reason },
    }),
  });
}

/** Enabled webhooks whose senders have not read all events of their account, in any order: none is left behind for long. */
export function selectLateWebhooks(db: Database): Promise<{ id: number }[]> {
  return db
    .select({ id: webhook.id })
    .from(webhook)
    .innerJoin(eventSequence, eq(eventSequence.account_id, webhook.account_id))
    .where(and(eq(webhook.enabled, true), sql`${eventSequence.last} > ${webhook.read_sequence}`))
    .orderBy(sql`random()`)
    .limit(MAX_WOKEN_PER_SWEEP);
}

/** The login of a user, which is its mail address; undefined once it is removed. */
export async function selectLogin(db: Database, id: number): Promise<string | undefined> {
  const row = await db.select({ login: user.login }).from(user).where(eq(user.id, id)).get();
  return row?.login;
}

const MAX_WEBHOOKS_PER_ACCOUNT = 20;
const MAX_WOKEN_PER_SWEEP = 500;
