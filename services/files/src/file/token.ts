import { createHmac, timingSafeEqual } from "node:crypto";
import { FILE_TYPES, type FileType } from "#shared/contract/file-ticket.ts";

type KeyEnv = { TOKEN_KEY: string };

/** What the holder of a ticket may upload: nothing of it has to be looked up. */
export type Ticket = { file_id: number; account_id: number; type: FileType; size: number; expires: number };

export function uploadToken({ file_id, account_id, type, size, expires }: Ticket, env: KeyEnv): string {
  const terms = [account_id, type, size, expires].join(".");
  return `${terms}.${signed(`upload:${file_id}:${terms}`, env)}`;
}

/** Undefined for a token that was not made here for this file. */
export function ticketOf(file_id: number, token: string, env: KeyEnv): Ticket | undefined {
  const parts = token.split(".");
  const [account_id, type_name, size, expires] = parts;
  const type = FILE_TYPES.find((one) => one === type_name);
  if (!type || parts.length !== 5) return undefined;
  const ticket = { file_id, account_id: Number(account_id), type, size: Number(size), expires: Number(expires) };
  return isSame(token, uploadToken(ticket, env)) ? ticket : undefined;
}

/** Opens one file to whoever has the address, as long as there is the file. */
export function downloadToken(file_id: number, env: KeyEnv): string {
  return signed(`download:${file_id}`, env);
}

export function opens(token: string, file_id: number, env: KeyEnv): boolean {
  return isSame(token, downloadToken(file_id, env));
}

function signed(text: string, { TOKEN_KEY }: KeyEnv) {
  return createHmac("sha256", TOKEN_KEY).update(text).digest("base64url");
}

function isSame(signature: string, own: string) {
  const [one, other] = [Buffer.from(signature), Buffer.from(own)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
