import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { refreshGuards } from "../credential/guard/refresh.ts";
import { countLogIn, withinCheckLimit } from "../credential/password/check-limit.ts";
import { isRightPassword } from "../credential/password/hash.ts";
import { deleteCredential, insertOperatorSession } from "../credential/queries.ts";
import { Credentials } from "../credential/schema.ts";
import { selectOperator } from "../dealer/operator/queries.ts";
import { createLoginDefence } from "../login/attempts/defence.ts";
import { operation } from "../operation.ts";

const Permissions = z.record(z.string(), z.array(z.string()));

export const authAccount = operation("/panel/account/auth", {
  summary: "Logs an operator in; answers the hash of a session that lives 24 hours",
  accepts: ANYONE,
  input: Credentials.omit({ dealer_id: true }),
  output: z.object({ hash: z.string(), permissions: Permissions }),
  errors: [11, 12, 102, 105],
  async run({ login, password }, { db, env, request, actor }) {
    await countLogIn(env, request.address);
    return withinCheckLimit(env, request.address, async () => {
      // Failures of operators and users are counted separately: both may have the same login.
      const defence = createLoginDefence(env, `panel:${login}`, request.address);
      const account = await defence.check(async () => {
        const found = await selectOperator(db, login);
        return (await isRightPassword(password, found?.operator.password, env)) ? found : undefined;
      });
      if (!account.hasDealer) throw new ApiError(12);
      const hash = await insertOperatorSession(db, env, account.operator, actor);
      return { hash, permissions: account.operator.permissions };
    });
  },
});

export const getPermissions = operation("/panel/account/get_permissions", {
  summary: "The operator's permissions",
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
    await refreshGuards(env, await deleteCredential(db, principal));
    return {};
  },
});

export const operations = [authAccount, getPermissions, logoutAccount];
