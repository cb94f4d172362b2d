import { z } from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { seal } from "#shared/secret/seal.ts";
import { settingsOf } from "../../dealer/settings.ts";
import type { GatewayEnv } from "../../env.ts";
import { failuresOf } from "../../login/attempts/code-failures.ts";
import { isUnused, replaceTotp } from "../../login/second-factor/queries.ts";
import { newSecret, rightCode, uriOf } from "../../login/second-factor/totp.ts";
import { operation } from "../../operation.ts";
import { selectOwnRow } from "./queries.ts";

export const createTotp = operation("/user/settings/second_factor/totp/create", {
  summary: "A new key for an authenticator app; it counts once /user/settings/update turns it on with one of its codes",
  accepts: ["session"],
  input: z.object({}),
  output: z.object({ secret: z.string(), uri: z.string() }),
  errors: [4, 101, 265],
  async run(_input, { db, env, principal, actor }) {
    if (principal.demo) throw new ApiError(101);
    const secret = newSecret();
    const sealed = await seal(secret, env.ENCRYPTION_KEY);
    const { login, settings } = await replaceTotp(db, principal, sealed, actor);
    return { secret, uri: uriOf(secret, settingsOf(settings).service_title, login) };
  },
});

export const operations = [createTotp];

/** What turns the codes on, where the code is right: columns, and what must be so when they are stored. */
export async function turnOn(
  db: Database,
  env: GatewayEnv,
  principal: Principal,
  code: string | undefined,
  now: number,
) {
  const row = await selectOwnRow(db, principal);
  // Clients send back what they read.
  if (row.second_factor === "totp") return undefined;
  if (row.totp_sealed === null) throw new ApiError(201);
  if (code === undefined) throw invalid("code", "is required to turn time-based codes on");
  const failures = failuresOf(env, principal.user_id);
  if (await failures.isFull()) throw new ApiError(105);
  const used = await rightCode(row, code, env, now);
  if (!used) throw new ApiError((await failures.fail()) ? 105 : 282);
  const changes = { second_factor: "totp", totp_step: used.step } as const;
  return { changes, condition: isUnused(principal.user_id, used) };
}
