import { Secret, TOTP } from "otpauth";
import { unseal } from "#shared/secret/seal.ts";
import type { GatewayEnv } from "../../env.ts";
import type { UserRow } from "../../table/user.ts";
import type { UsedCode } from "./queries.ts";

/** A new secret for an authenticator app, in base32. */
export function generateSecret(): string {
  return new Secret({ size: KEY_BYTES }).base32;
}

/** The `otpauth` URI that authenticator apps read, usually from a QR code. */
export function totpUriOf(secret: string, issuer: string, login: string): string {
  return new TOTP({ secret, issuer, label: login }).toString();
}

/** The step of a right code; undefined if it is wrong, or a code of that half minute or a later one was used before. */
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

/** The half minute that the code belongs to: the present one or one next to it, because clocks differ. */
export function findStep(secret: string, code: string, nowMs: number): number | undefined {
  const delta = TOTP.validate({ secret: Secret.fromBase32(secret), token: code, timestamp: nowMs, window: 1 });
  return delta === null ? undefined : TOTP.counter({ timestamp: nowMs }) + delta;
}

/** The columns of a user without a second factor; they also erase an earlier secret. */
export const NO_SECOND_FACTOR = {
  second_factor: "none",
  totp_sealed: null,
  totp_step: null,
} as const satisfies Partial<UserRow>;

const KEY_BYTES = 20;
