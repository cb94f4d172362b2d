import { errors, jwtVerify, SignJWT } from "jose";
import type { FileType } from "#shared/contract/file-ticket.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { keyNamed, keysOf } from "#shared/secret/key-list.ts";
import { nowMs } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";

/** What the holder of a ticket may upload: nothing of it has to be looked up. Times in UTC milliseconds. */
export type Ticket = { file_id: number; account_id: number; type: FileType; size: number; expires: number };

/** What a token is for: one for the one thing is no good for the other. */
type Audience = "upload" | "download" | "preview";
/** Whoever is shown a preview alone cannot come by the content, which tells where and by what it was taken. */
export type DownloadAudience = Exclude<Audience, "upload">;
type TokenEnv = Pick<FilesEnv, "TOKEN_KEY" | "CLOCK_OFFSET_SECONDS">;

export function createUploadToken({ file_id, expires, ...terms }: Ticket, env: TokenEnv): Promise<string> {
  return signToken("upload", file_id, expires, terms, env);
}

/** 11 for a token that was not made here for this file's upload, 204 for one that has ended. */
export async function requireTicket(file_id: number, token: string, env: TokenEnv): Promise<Ticket> {
  const {
    account_id,
    type,
    size,
    exp = 0,
  } = await verifyToken<Ticket>("upload", file_id, token, env).catch((thrown) => {
    throw new ApiError(thrown instanceof errors.JWTExpired ? 204 : 11);
  });
  return { file_id, account_id, type, size, expires: exp * 1000 };
}

/** Opens one file to whoever has it. It is the same for a while, so that browsers find again what they keep by address. */
export function createDownloadToken(
  file_id: number,
  env: TokenEnv & Pick<FilesEnv, "DOWNLOAD_HOURS">,
  audience: DownloadAudience = "download",
): Promise<string> {
  const lifeMs = Number(env.DOWNLOAD_HOURS) * HOUR_MS;
  const sameMs = lifeMs / TOKENS_PER_LIFETIME;
  return signToken(audience, file_id, Math.floor(nowMs(env) / sameMs) * sameMs + lifeMs, {}, env);
}

/** Whether it was made here for this file's download, or for its previews, and has not ended. */
export function isValidToken(
  token: string,
  file_id: number,
  env: TokenEnv,
  audience: DownloadAudience = "download",
): Promise<boolean> {
  return verifyToken(audience, file_id, token, env).then(
    () => true,
    () => false,
  );
}

function signToken(audience: Audience, file_id: number, expires: number, terms: object, env: TokenEnv) {
  const [{ id, bytes }] = keysOf(env.TOKEN_KEY);
  return new SignJWT({ ...terms })
    .setProtectedHeader({ alg: ALGORITHM, kid: id })
    .setAudience(audience)
    .setSubject(String(file_id))
    .setExpirationTime(Math.floor(expires / 1000))
    .sign(bytes);
}

/** Throws for any but a token of ours; its terms are those that `signed` was given. */
async function verifyToken<Terms>(audience: Audience, file_id: number, token: string, env: TokenEnv) {
  const { payload } = await jwtVerify<Terms>(token, ({ kid }) => keyNamed(env.TOKEN_KEY, kid), {
    algorithms: [ALGORITHM],
    audience,
    subject: String(file_id),
    requiredClaims: ["exp"],
    currentDate: new Date(nowMs(env)),
  });
  return payload;
}

const ALGORITHM = "HS256";
/** How many follow each other while one lives. */
const TOKENS_PER_LIFETIME = 24;
