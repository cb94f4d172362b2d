import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { seal } from "#shared/secret/seal.ts";
import { isRightPassword } from "../../credential/password/hash.ts";
import { settingsOf } from "../../dealer/settings.ts";
import type { GatewayEnv } from "../../env.ts";
import { codeFailuresOf } from "../../login/attempts/code-failures.ts";
import { isCodeUnused, replaceTotp } from "../../login/second-factor/queries.ts";
import { checkCode, generateSecret, NO_SECOND_FACTOR, totpUriOf } from "../../login/second-factor/totp.ts";
import { operation } from "../../operation.ts";
import type { UserRow } from "../../table/user.ts";
import { hasPassword, selectOwnRow } from "./queries.ts";
import type { SettingsChanges } from "./schema.ts";

export const createTotp = operation("/user/settings/second_factor/totp/create", {
  summary: "A new key for an authenticator app; /user/settings/update activates it with one of its codes",
  accepts: ["session"],
  input: z.object({}),
  output: z.object({ secret: z.string(), uri: z.string() }),
  errors: [4, 101, 265],
  async run(_input, { db, env, principal, actor }) {
    if (principal.demo) throw new ApiError(101);
    const secret = generateSecret();
    const sealed = await seal(secret, env.ENCRYPTION_KEY);
    const { login, settings } = await replaceTotp(db, principal, sealed, actor);
    return { secret, uri: totpUriOf(secret, settingsOf(settings).service_title, login) };
  },
});

export const operations = [createTotp];

type FactorChange = { changes: Partial<UserRow>; condition: ReturnType<typeof hasPassword> | undefined };
type Proof = Pick<z.output<typeof SettingsChanges>, "code" | "password">;

/**
 * The columns that change the second step, and the condition to demand with their write; undefined if nothing changes.
 * Turning a second step off needs the password or a code, so that an open session alone is not enough.
 */
export async function toFactorChange(
  db: Database,
  env: GatewayEnv,
  principal: Principal,
  factor: UserRow["second_factor"],
  proof: Proof,
  now: number,
): Promise<FactorChange | undefined> {
  const row = await selectOwnRow(db, principal);
  if (row.second_factor === factor) return undefined;
  const failures = codeFailuresOf(env, principal.user_id);
  const condition =
    row.second_factor === "none" ? undefined : await failures.check(102, () => checkProof(row, proof, env, now));
  if (factor !== "totp") return { changes: { ...NO_SECOND_FACTOR, second_factor: factor }, condition: condition };
  if (row.totp_sealed === null) throw new ApiError(201);
  if (proof.code === undefined) throw invalid("code", "is required to turn time-based codes on");
  const { code } = proof;
  const used = await failures.check(282, () => checkCode(row, code, env, now));
  return { changes: { second_factor: "totp", totp_step: used.step }, condition: isCodeUnused(principal.user_id, used) };
}

/** The condition to demand for a right password or code: it is still valid. Undefined if neither is right. */
async function checkProof(row: UserRow, { code, password }: Proof, env: GatewayEnv, now: number) {
  if (password !== undefined)
    return (await isRightPassword(password, row.password, env)) ? hasPassword(row) : undefined;
  const used = row.second_factor === "totp" && code !== undefined && (await checkCode(row, code, env, now));
  return used ? isCodeUnused(row.id, used) : undefined;
}
