import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { refreshGuards } from "../credential/guard/refresh.ts";
import { keyOf, newHash } from "../credential/hash.ts";
import { passwordFits } from "../credential/password/hash.ts";
import { credentialRow, deleteCredential, OPERATOR_SESSION_MS } from "../credential/queries.ts";
import { Credentials } from "../credential/schema.ts";
import { loginDefence } from "../login/attempts/defence.ts";
import { operation } from "../operation.ts";
import { credential } from "../table/credential.ts";
import { dealer } from "../table/dealer.ts";
import { operator } from "../table/operator.ts";

const Permissions = z.record(z.string(), z.array(z.string()));

export const authAccount = operation("/panel/account/auth", {
  summary: "Logs an operator in: the hash of a session that lives 24 hours",
  accepts: ANYONE,
  input: Credentials.omit({ dealer_id: true }),
  output: z.object({ hash: z.string(), permissions: Permissions }),
  errors: [11, 12, 102, 105],
  async run({ login, password }, { db, env, clock, request }) {
    // Operators and users are counted apart: one login may name both.
    const defence = loginDefence(env, `panel:${login}`, request.address);
    await defence.admit();
    const found = await db
      .select({ operator, block_type: dealer.block_type })
      .from(operator)
      .leftJoin(dealer, eq(dealer.id, operator.dealer_id))
      .where(eq(sql`lower(${operator.login})`, login.toLowerCase()))
      .get();
    if (!(await passwordFits(password, found?.operator.password)) || !found) return defence.refuse();
    await defence.admit();
    if (found.block_type === null) throw new ApiError(12);
    // Whoever may block every dealer may come in to unblock them.
    const isOwner = found.operator.permissions.subpaas?.includes("global") === true;
    if (found.block_type !== "NOT_BLOCKED" && !isOwner) throw new ApiError(11);
    const hash = newHash(env);
    const owner = { account_id: 0, user_id: found.operator.id, kind: "operator" as const };
    const row = credentialRow(keyOf(hash, env), { ...owner, now: clock.now(), lifeMs: OPERATOR_SESSION_MS });
    await db.insert(credential).values(row);
    return { hash, permissions: found.operator.permissions };
  },
});

export const getPermissions = operation("/panel/account/get_permissions", {
  summary: "What the operator may do",
  accepts: ["operator"],
  reads: true,
  input: z.object({}),
  output: z.object({ permissions: Permissions }),
  errors: [],
  async run(_input, { principal }) {
    return { permissions: principal.permissions };
  },
});

export const logoutAccount = operation("/panel/account/logout", {
  summary: "Ends the operator's session",
  accepts: ["operator"],
  input: z.object({}),
  output: z.object({}),
  errors: [4],
  async run(_input, { db, env, principal }) {
    await deleteCredential(db, principal);
    await refreshGuards(env, [principal.key]);
    return {};
  },
});

export const operations = [authAccount, getPermissions, logoutAccount];
