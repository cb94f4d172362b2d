import { createClient, type InStatement } from "@libsql/client/http";
import { hashPassword, type PasswordEnv } from "../../gateway/src/credential/password/hash.ts";
import { ALL_PERMISSIONS } from "../../gateway/src/dealer/operator/permissions.ts";
import type { DatabaseServer } from "./sqld.ts";

export type Login = { login: string; password: string };

export async function hasOperator(server: DatabaseServer) {
  const { rows } = await execute(server, "SELECT 1 FROM operator LIMIT 1");
  return rows.length > 0;
}

/** Does nothing where there is an operator already: of two starts on one database only one makes it. */
export async function insertFirstOperator(server: DatabaseServer, { login, password }: Login, env: PasswordEnv = {}) {
  const permissions = JSON.stringify(ALL_PERMISSIONS);
  await execute(server, {
    sql: `INSERT INTO operator (dealer_id, login, password, permissions)
          SELECT 1, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM operator)`,
    args: [login, await hashPassword(password, env), permissions],
  });
}

async function execute({ url, token }: DatabaseServer, statement: InStatement) {
  const client = createClient({ url, authToken: token || undefined });
  try {
    return await client.execute(statement);
  } finally {
    client.close();
  }
}
