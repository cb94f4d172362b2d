import { randomBytes } from "node:crypto";
import type { AvatarHolder, Avatars } from "../database/avatar/queries.ts";
import { ApiError } from "../error/api-error.ts";
import { AVATAR_TYPES, type Avatar } from "../image/avatar.ts";
import { imageTypeOf } from "../image/type.ts";
import type { Call, FilePart, ServiceEnv } from "../operation/declaration.ts";
import { filePart } from "../operation/fields.ts";
import { redirectTarget } from "../operation/redirect.ts";
import { MINUTE_MS } from "../time/duration.ts";

/** Pictures of things, which whoever knows their name may see. Which thing has which, its service knows. */
export interface AvatarStore {
  /** It may have 16 MB, and is what its name ends like; stored without what a camera writes beside a picture. 254 where it cannot be stored. */
  putAvatar(avatar: Avatar, bytes: Uint8Array): Promise<void>;
  /** At most a thousand; one that is not there is passed over. */
  removeAvatars(avatars: Avatar[]): Promise<void>;
}

/** What the upload of an avatar takes besides the id of the thing. */
export const AVATAR_UPLOAD = { file: filePart().optional(), redirect_target: redirectTarget() };

type AvatarCall = Pick<Call<ServiceEnv & { FILES: AvatarStore }>, "db" | "env" | "principal" | "actor" | "clock">;

/**
 * The name under which the picture is served from now on. Its row comes first and has an end until the thing shows the
 * picture: whatever is cut off in between is swept.
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

/** Removes what nothing has any more: first the pictures, so that none is left that no row knows of. */
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
/** By so many bytes images show what they are. */
const SIGNATURE_BYTES = 16;
/** No upload takes as long. */
const UPLOAD_MS = 10 * MINUTE_MS;
/** As many as the bucket removes in one call. */
const MAX_REMOVED_AVATARS = 1000;
