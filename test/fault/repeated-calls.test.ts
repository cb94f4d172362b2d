import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { type Accounts, accountsOn, newImei, type Reply } from "../tool/call/account.ts";
import { effort, IS_CAMPAIGN } from "../tool/effort.ts";
import { watchRuntimes } from "../tool/installation/killed-runtime.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { waitUntil } from "../tool/wait.ts";

const runtimes = watchRuntimes();
let installation: LocalInstallation;
let workers: LocalWorkers;
let accounts: Accounts;

beforeAll(async () => {
  installation = await newLocalInstallation();
  workers = await installation.start({});
  accounts = accountsOn(installation);
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

test("kill -9 of workerd among calls with idempotency keys: each repeated call has one effect and answers its id", async () => {
  const [clients, vehicles, kills] = [8, effort({ few: 30, many: 100 }), effort({ few: 1, many: 10 })];
  const account = await accounts.newAccount();
  const answered = new Map<string, number>();
  let calls = 0;

  /** Repeats a call until it is answered, as a client does on a bad network. */
  async function createVehicle(label: string) {
    const reply = await waitUntil(
      `the creation of ${label} is answered`,
      () => {
        calls++;
        return account.call("/vehicle/create", { vehicle: { label } }, { "Idempotency-Key": `create-${label}` });
      },
      ({ success }) => success,
    );
    expect(answered.get(label) ?? reply.id).toBe(reply.id);
    answered.set(label, reply.id);
  }

  async function runClient(client: number) {
    for (let index = 0; index < vehicles; index++) await createVehicle(`${client}-${index}`);
  }

  const running = Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
  for (let kill = 1; kill <= kills; kill++) {
    await waitUntil(
      "more vehicles are there",
      () => answered.size,
      (size) => size >= (kill * clients * vehicles) / (kills + 1),
    );
    await runtimes.killAndWait(installation);
  }
  await running;
  // Once more: every answer is that of the first call.
  for (const label of [...answered.keys()].slice(0, 20)) await createVehicle(label);
  const { list } = await account.must("/vehicle/list", { limit: 10_000 });
  expect(list).toHaveLength(clients * vehicles);
  for (const { id, label } of list) expect(answered.get(label)).toBe(id);
  expect(calls).toBeGreaterThan(clients * vehicles);
});

test.runIf(IS_CAMPAIGN)(
  "kill -9 of workerd during a registration: the repeated call answers the tracker that was registered",
  async () => {
    const account = await accounts.newAccount();
    for (let round = 0; round < 15; round++) {
      const device = { label: "Van", group_id: 0, model: "generic_gps", plugin_id: 44, device_id: newImei() };
      const register = () => account.call("/tracker/register", device, { "Idempotency-Key": `register-${round}` });
      const first = register().catch(() => undefined);
      await runtimes.killAndWait(installation);
      await first;
      const reply: Reply = await waitUntil("the registration is answered", register, ({ success }) => success);
      const { list } = await account.must("/tracker/list");
      expect(list.filter((tracker: Reply) => tracker.source.device_id === device.device_id)).toEqual([reply.value]);
    }
  },
);
