import { Secret, TOTP } from "otpauth";
import { unseal } from "#shared/secret/seal.ts";
import type { GatewayEnv } from "../../env.ts";
import type { UserRow } from "../../table/user.ts";
import type { UsedCode } from "./queries.ts";

/** A new key for an authenticator app, as text. */
export function generateSecret(): string {
  return new Secret({ size: KEY_BYTES }).base32;
}

/** The address that the apps read, mostly from a picture of it. */
export function totpUriOf(secret: string, issuer: string, login: string): string {
  return new TOTP({ secret, issuer, label: login }).toString();
}

/** The code as it will have been used, if it is right and no code of its half minute or a later one was used before. */
export async function checkCode(
  { totp_sealed: sealed, totp_step }: Pick<UserRow, "totp_sealed" | "totp_step">,
  code: string,
  { ENCRYPTION_KEY }: Pick<GatewayEnv, "ENCRYPTION_KEY">,
  now: number,
): Promise<UsedCode | undefined> {
  if (sealed === null) return undefined;
  const step = findStep(await unseal(sealed, ENCRYPTION_KEY), code, now);
  return step === undefined || step <= (totp_step ?? 0) ? undefined : { sealed, step };
}

/** The step of half a minute that the code is of: the present one, or one beside it, for clocks differ. */
export function findStep(secret: string, code: string, nowMs: number): number | undefined {
  const delta = TOTP.validate({ secret: Secret.fromBase32(secret), token: code, timestamp: nowMs, window: 1 });
  return delta === null ? undefined : TOTP.counter({ timestamp: nowMs }) + delta;
}

/** What a user has that has no second step: not the key of one it had, either. */
export const NO_SECOND_FACTOR = {
  second_factor: "none",
  totp_sealed: null,
  totp_step: null,
} as const satisfies Partial<UserRow>;

const KEY_BYTES = 20;
