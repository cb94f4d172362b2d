import { ApiError } from "#shared/error/api-error.ts";
import { AVATAR_OWNERS, AVATAR_TYPES, type Avatar } from "#shared/image/avatar.ts";
import type { FilesEnv } from "../env.ts";
import { serveObject } from "../object/serve.ts";
import { toAvatar } from "./strip-metadata.ts";
import { CODECS } from "./wasm.ts";

/** Stores an avatar without the metadata of cameras, because everybody may see it. */
export async function putAvatar(env: FilesEnv, avatar: Avatar, bytes: Uint8Array) {
  const picture = await toAvatar(bytes, typeOf(avatar.name) ?? "", CODECS);
  await env.BUCKET.put(keyOf(avatar), picture).catch((cause) => {
    throw new ApiError(254, {}, { cause });
  });
}

export async function removeAvatars(env: FilesEnv, avatars: Avatar[]) {
  await env.BUCKET.delete(avatars.map(keyOf));
}

/** Serves an avatar to callers who know its name. A changed avatar gets a new name, so caches may keep it for ever. */
export async function showAvatar(owner: string, name: string, request: Request, env: FilesEnv): Promise<Response> {
  const known = AVATAR_OWNERS.find((one) => one === owner);
  const type = typeOf(name);
  if (!known || !type) throw new ApiError(204);
  return serveObject(env.BUCKET, keyOf({ owner: known, name }), request, {
    "Content-Type": type,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "public, max-age=31536000, immutable",
  });
}

function typeOf(name: string) {
  return AVATAR_TYPES.get(/^[0-9a-f]{32}\.(\w+)$/.exec(name)?.[1] ?? "");
}

function keyOf({ owner, name }: Avatar) {
  return `avatar/${owner}/${name}`;
}
