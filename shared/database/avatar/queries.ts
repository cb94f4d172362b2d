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

/** How a thing looks, as far as it is changed; an icon counts before the picture. */
export type AvatarChange = { avatar_file_name?: string; icon_id?: number | null; icon_color?: string };

/** A thing whose look is changed. */
export type AvatarHolder = {
  owner: AvatarOwner;
  id: number;
  /** What must hold for the caller to change it. */
  demands: Steps;
  /** A query of the name of its picture. */
  current: SQL;
  change(look: AvatarChange): BatchItem<"sqlite">;
};

type StoredPicture = { name: string; size: number };
type Recording = ReturnType<typeof recordsIn>["recording"];

/** What a service does with the pictures of its things, in its own table. */
export function avatarsIn(avatar: AvatarTable, recording: Recording) {
  return { announceAvatar, showAvatar, changeIcon, selectExpiredAvatars, deleteAvatars };

  /** Before the picture is stored: if it is never shown, it goes. 254 where the account has no room for it. */
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
      room: demand(sql`${held} + ${size} <= ${limits.file_bytes}`, () => new ApiError(254)),
      announced: db.insert(avatar).values({ name, account_id, owner, size, expires }),
    });
  }

  /** Once it is stored: the thing has it instead of its icon and of the picture before. 254 where it has gone already. */
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
      // Not the name: whoever knows it sees the picture.
      recorded: recording(db, actor, {
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
      recorded: recording(db, actor, { is: [thing.owner, "update"], entry_id: thing.id, payload: icon }),
    });
  }

  /** What nothing has, or has any more, the oldest first. */
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

/** Before any other moment. */
const EXPIRED = 0;
