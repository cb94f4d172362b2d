import { createClient } from "@libsql/client/http";
import { waitUntil } from "../../test/tool/wait.ts";
import type { Stack } from "../tool/stack.ts";
import type { CountedDatabases } from "./counted-databases.ts";

/** Rows that a service delivers soon after its answer, by service; other outboxes wait for a sweep. */
const SOON_DELIVERED = {
  fleet: ["audit_outbox", "activity", "gauge_change", "event WHERE undelivered_since IS NOT NULL"],
  tasks: ["audit_outbox", "event_outbox"],
  geo: ["audit_outbox"],
  reports: ["audit_outbox"],
};
const SERVICES = Object.keys(SOON_DELIVERED) as (keyof typeof SOON_DELIVERED)[];

/** Waits until the changes of all calls so far are delivered, and no request is on its way to a database. */
export async function waitForDeliveries({ servers }: Pick<Stack, "servers">, databases: CountedDatabases) {
  await waitUntil(
    "outboxes are empty and no request is on its way to a database",
    async () => ({ undelivered: await countUndelivered(servers), requests: databases.openRequests }),
    ({ undelivered, requests }) => undelivered === 0 && requests === 0,
  );
}

/** Reads the databases directly: requests of a measurement itself must not be counted. */
async function countUndelivered(servers: Stack["servers"]): Promise<number> {
  const counts = await Promise.all(
    SERVICES.map(async (service) => {
      const { url, token } = servers[service];
      const client = createClient({ url, authToken: token });
      const counts = SOON_DELIVERED[service].map((rows) => `(SELECT count(*) FROM ${rows})`);
      const { rows } = await client.execute(`SELECT ${counts.join(" + ")} AS count`);
      client.close();
      return Number(rows[0]?.count);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
