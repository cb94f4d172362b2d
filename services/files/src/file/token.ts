import { errors, jwtVerify, SignJWT } from "jose";
import type { FileType } from "#shared/contract/file/file-ticket.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { keyNamed, keysOf } from "#shared/secret/key-list.ts";
import { nowMs } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";

/** The terms of a ticket, all of which its token contains. Times are UTC milliseconds. */
export type Ticket = { file_id: number; account_id: number; type: FileType; size: number; expires: number };

/** The purpose of a token, which is valid for no other. */
type Audience = "upload" | "download" | "preview";
/** Previews have their own tokens: the content also reveals where and with which camera it was taken. */
export type DownloadAudience = Exclude<Audience, "upload">;
type TokenEnv = Pick<FilesEnv, "TOKEN_KEY" | "CLOCK_OFFSET_SECONDS">;

export function createUploadToken({ file_id, expires, ...terms }: Ticket, env: TokenEnv): Promise<string> {
  return signToken("upload", file_id, expires, terms, env);
}

/** The ticket of a token; 11 if the token is not for this file's upload, 204 if it has expired. */
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

/** A token to download one file. It stays the same for a while, so that browsers can cache by URL. */
export function createDownloadToken(
  file_id: number,
  env: TokenEnv & Pick<FilesEnv, "DOWNLOAD_HOURS">,
  audience: DownloadAudience = "download",
): Promise<string> {
  const lifeMs = Number(env.DOWNLOAD_HOURS) * HOUR_MS;
  const stepMs = lifeMs / TOKENS_PER_LIFETIME;
  return signToken(audience, file_id, Math.floor(nowMs(env) / stepMs) * stepMs + lifeMs, {}, env);
}

/** True if the token is for this file and purpose, and has not expired. */
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

/** The terms of a token; throws unless its signature, purpose, file and expiry are right. */
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
/** How many different tokens a file gets during the lifetime of one. */
const TOKENS_PER_LIFETIME = 24;
