import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { withClient } from "../database/client.ts";
import type { DatabaseServer } from "../system/sqld.ts";

/** Other deployments may start this long after one was killed. A running one renews its lease several times in between. */
const LEASE_SECONDS = 60;
const RENEWAL_MS = 15_000;

export type Lease = {
  /** Renews the lease, or throws: a machine that slept may have lost it to another deployment. */
  confirm(): Promise<void>;
  release(): Promise<void>;
};

/** Makes this deployment the only one on the installation, or throws who else deploys and since when. */
export async function acquireLease(
  gateway: DatabaseServer,
  holder = `${userInfo().username}@${hostname()}`,
): Promise<Lease> {
  const token = randomUUID();
  // One statement decides, by the clock of the database: of two deployments at the same time only one gets the row.
  const results = await withClient(gateway, (client) =>
    client.batch(
      [
        `CREATE TABLE IF NOT EXISTS deployment_lease (only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
           token TEXT NOT NULL, holder TEXT NOT NULL, since INTEGER NOT NULL, expires INTEGER NOT NULL)`,
        {
          sql: `INSERT INTO deployment_lease (only_row, token, holder, since, expires)
                VALUES (1, ?, ?, unixepoch(), unixepoch() + ${LEASE_SECONDS})
                ON CONFLICT (only_row) DO UPDATE SET
                  token = excluded.token, holder = excluded.holder, since = excluded.since, expires = excluded.expires
                WHERE deployment_lease.expires < unixepoch()`,
          args: [token, holder],
        },
        HOLDER,
      ],
      "write",
    ),
  );
  const isAcquired = results.at(-2)?.rowsAffected === 1;
  if (!isAcquired) throw new Error(describeHolder(results.at(-1)?.rows[0]));
  const renewal = setInterval(() => renew(gateway, token).catch(() => undefined), RENEWAL_MS);
  renewal.unref();
  return {
    async confirm() {
      const { rowsAffected } = await renew(gateway, token);
      if (rowsAffected !== 1)
        throw new Error("Another deployment has begun meanwhile: this one stops. Run it again later.");
    },
    async release() {
      clearInterval(renewal);
      await withClient(gateway, (client) =>
        client.execute({ sql: "DELETE FROM deployment_lease WHERE token = ?", args: [token] }),
      );
    },
  };
}

const HOLDER = `SELECT holder, strftime('%F %H:%M', since, 'unixepoch') AS since,
  strftime('%H:%M', expires, 'unixepoch') AS expires FROM deployment_lease`;

function describeHolder(row: Record<string, unknown> | undefined) {
  return `${row?.holder} has been deploying to this installation since ${row?.since} UTC: wait for the end, or, if that deployment was killed, until ${row?.expires} UTC.`;
}

function renew(gateway: DatabaseServer, token: string) {
  const sql = `UPDATE deployment_lease SET expires = unixepoch() + ${LEASE_SECONDS} WHERE token = ?`;
  return withClient(gateway, (client) => client.execute({ sql, args: [token] }));
}
