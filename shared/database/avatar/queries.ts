import { and, asc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Actor } from "../../caller/audit.ts";
import type { Principal } from "../../caller/principal.ts";
import { ApiError } from "../../error/api-error.ts";
import type { AvatarOwner } from "../../image/avatar.ts";
import type { recordsIn } from "../audit-outbox.ts";
import type { Database } from "../open.ts";
import { among } from "../scope.ts";
import { demand, demandChange, type Steps, write } from "../steps.ts";
import type { AvatarTable } from "./table.ts";

/** Changed members of an avatar; an icon takes precedence over a picture. */
export type AvatarChange = { avatar_file_name?: string; icon_id?: number | null; icon_color?: string };

/** A thing whose avatar is changed. */
export type AvatarHolder = {
  owner: AvatarOwner;
  id: number;
  /** Conditions under which the caller may change the thing. */
  demands: Steps;
  /** A query of the name of its current picture. */
  current: SQL;
  change(look: AvatarChange): BatchItem<"sqlite">;
};

type StoredPicture = { name: string; size: number };
type RecordChange = ReturnType<typeof recordsIn>["recordChange"];

/** Queries of pictures in the avatar table of a service. */
export function avatarsIn(avatar: AvatarTable, recordChange: RecordChange) {
  return { announceAvatar, showAvatar, changeIcon, selectExpiredAvatars, deleteAvatars };

  /**
   * Reserves space before the upload; the row expires unless the thing shows the picture. 254 when the quota is used
   * up.
   */
  async function announceAvatar(
    db: Database,
    { account_id, limits }: Principal,
    { owner, demands }: AvatarHolder,
    { name, size }: StoredPicture,
    expires: number,
  ) {
    const held = sql`(SELECT coalesce(sum(${avatar.size}), 0) FROM ${avatar} WHERE ${eq(avatar.account_id, account_id)})`;
    await write(db, {
      ...demands,
      quota: demand(sql`${held} + ${size} <= ${limits.file_bytes}`, () => new ApiError(254)),
      announced: db.insert(avatar).values({ name, account_id, owner, size, expires }),
    });
  }

  /** Shows an uploaded picture in place of icon and former picture. 254 when the reservation has expired. */
  async function showAvatar(
    db: Database,
    { owner, id, demands, current, change }: AvatarHolder,
    name: string,
    now: number,
    actor: Actor,
  ) {
    await write(db, {
      ...demands,
      kept: db
        .update(avatar)
        .set({ expires: null })
        .where(and(eq(avatar.name, name), gt(avatar.expires, now))),
      stored: demandChange(() => new ApiError(254)),
      replaced: db.update(avatar).set({ expires: EXPIRED }).where(sql`${avatar.name} = (${current})`),
      changed: change({ avatar_file_name: name, icon_id: null }),
      // Without the picture's name, which gives access to it.
      recorded: recordChange(db, actor, {
        is: [owner, "update"],
        entry_id: id,
        payload: { members: ["avatar_file_name"] },
      }),
    });
  }

  async function changeIcon(db: Database, thing: AvatarHolder, icon: AvatarChange, actor: Actor) {
    await write(db, {
      ...thing.demands,
      changed: thing.change(icon),
      recorded: recordChange(db, actor, { is: [thing.owner, "update"], entry_id: thing.id, payload: icon }),
    });
  }

  /** Expired pictures, oldest first. */
  function selectExpiredAvatars(db: Database, now: number, limit: number) {
    return db
      .select({ owner: avatar.owner, name: avatar.name })
      .from(avatar)
      .where(lte(avatar.expires, now))
      .orderBy(asc(avatar.expires))
      .limit(limit);
  }

  async function deleteAvatars(db: Database, names: string[]) {
    await db.delete(avatar).where(among(avatar.name, names));
  }
}
export type Avatars = ReturnType<typeof avatarsIn>;

/** Earlier than any moment: the picture expires at once. */
const EXPIRED = 0;
