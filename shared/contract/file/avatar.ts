import { randomBytes } from "node:crypto";
import type { AvatarHolder, Avatars } from "../../database/avatar/queries.ts";
import { ApiError } from "../../error/api-error.ts";
import { AVATAR_TYPES, type Avatar } from "../../image/avatar.ts";
import { imageTypeOf } from "../../image/type.ts";
import type { Call, FilePart, ServiceEnv } from "../../operation/declaration.ts";
import { filePart } from "../../operation/fields.ts";
import { redirectTarget } from "../../operation/redirect.ts";
import { MINUTE_MS } from "../../time/duration.ts";

/**
 * Storage of avatar pictures. Everyone who knows a picture's name may see it; which thing has it is known to the
 * thing's service.
 */
export interface AvatarStore {
  /**
   * Stores a picture of at most 16 MB without its metadata (EXIF). The name's extension gives the type. 254 when it
   * cannot be stored.
   */
  putAvatar(avatar: Avatar, bytes: Uint8Array): Promise<void>;
  /** Removes at most 1,000 pictures; missing ones are skipped. */
  removeAvatars(avatars: Avatar[]): Promise<void>;
}

/** The input of every avatar upload besides the id of the thing. */
export const AVATAR_UPLOAD = { file: filePart().optional(), redirect_target: redirectTarget() };

type AvatarCall = Pick<Call<ServiceEnv & { FILES: AvatarStore }>, "db" | "env" | "principal" | "actor" | "clock">;

/**
 * Stores an uploaded picture and answers its public name. The row is written first with an expiry, which ends once the
 * thing shows the picture: a sweep removes what an aborted upload left.
 */
export async function uploadAvatar(
  file: FilePart | undefined,
  thing: AvatarHolder,
  avatars: Avatars,
  { db, env, principal, actor, clock }: AvatarCall,
): Promise<string> {
  if (!file) throw new ApiError(233);
  const size = file.bytes.byteLength;
  if (size > MAX_BYTES) throw new ApiError(9);
  const type = imageTypeOf(file.bytes.subarray(0, SIGNATURE_BYTES));
  const extension = [...AVATAR_TYPES].find(([, known]) => known === type)?.[0];
  if (!extension) throw new ApiError(234);
  const name = `${randomBytes(16).toString("hex")}.${extension}`;
  await avatars.announceAvatar(db, principal, thing, { name, size }, clock.now() + UPLOAD_MS);
  await env.FILES.putAvatar({ owner: thing.owner, name }, file.bytes);
  await avatars.showAvatar(db, thing, name, clock.now(), actor);
  return name;
}

/**
 * Removes pictures that no thing shows. The pictures go before their rows, so that no picture is left without a row.
 */
export async function sweepAvatars(
  { selectExpiredAvatars, deleteAvatars }: Avatars,
  { db, store, now }: { db: AvatarCall["db"]; store: AvatarStore; now: number },
) {
  const expired = await selectExpiredAvatars(db, now, MAX_REMOVED_AVATARS);
  if (expired.length === 0) return;
  await store.removeAvatars(expired);
  await deleteAvatars(
    db,
    expired.map(({ name }) => name),
  );
}

const MAX_BYTES = 16 * 1024 * 1024;
/** Image types are recognised by this many bytes at the start of a file. */
const SIGNATURE_BYTES = 16;
/** An upload takes less than this; afterwards its row has expired. */
const UPLOAD_MS = 10 * MINUTE_MS;
/** R2 removes at most 1,000 objects in one call. */
const MAX_REMOVED_AVATARS = 1000;
