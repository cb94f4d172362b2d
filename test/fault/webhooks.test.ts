import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { effort } from "../tool/effort.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { newWebhookReceiver, status } from "../tool/receiver/webhook-receiver.ts";
import { bindingsFronts, moveClock } from "../tool/system/changed-bindings.ts";
import { OPERATOR } from "../tool/system/operator.ts";
import { waitUntil } from "../tool/wait.ts";

let installation: LocalInstallation;
let workers: LocalWorkers;
let accounts: Accounts;

beforeAll(async () => {
  installation = await newLocalInstallation();
  workers = await installation.start({ AUDIT_DELAY_SECONDS: "0.05" }, { fronts: bindingsFronts() });
  accounts = accountsOn(installation);
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

let offsetMs = 0;

async function moveForward(ms: number) {
  offsetMs += ms;
  await moveClock(workers, offsetMs / SECOND_MS);
  // The session of the operator may have ended by this clock.
  accounts = accountsOn(installation);
}

function swept<Value>(condition: string, read: () => Promise<Value>, isMet: (value: Value) => boolean) {
  return waitUntil(
    condition,
    async () => {
      await workers.fireCrons(new Date());
      return read();
    },
    isMet,
  );
}

async function deliveriesOf({ must }: Account, webhook_id: number): Promise<Reply[]> {
  return (await must("/webhook/delivery/list", { webhook_id })).list;
}

test("a delivery is tried again over three days, and arrives with the same id once its receiver is back", async () => {
  const receiver = await newWebhookReceiver();
  const account = await accounts.newAccount();
  const webhook = { url: receiver.url, types: ["vehicle.created"] };
  const { id: webhook_id } = await account.must("/webhook/create", { webhook });
  await receiver.leave();
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  /** Wakes the sender, whose alarm is set by the clock of the machine: an event of another type. */
  const wakeAfter = async (ms: number) => {
    await moveForward(ms);
    await account.must("/vehicle/update", { vehicle: { id, label: `Van after ${ms}` } });
  };
  const attempts = () => deliveriesOf(account, webhook_id).then(([delivery]) => delivery?.attempts ?? 0);
  await swept("the first attempt has failed", attempts, (count) => count >= 1);
  // The pauses are 5 s, 5 min, 30 min, 2 h, 5 h … with up to a tenth more.
  const hours = [1, 3, 6, 12, 18].slice(0, effort({ few: 2, many: 5 }));
  for (const [index, hour] of hours.entries()) {
    await wakeAfter(hour * HOUR_MS);
    await swept("one more attempt has failed", attempts, (count) => count >= index + 2);
  }
  await receiver.comeBack();
  await wakeAfter(60 * HOUR_MS);
  await swept(
    "the delivery has arrived",
    () => deliveriesOf(account, webhook_id),
    ([delivery]) => delivery?.state === "delivered",
  );
  expect(receiver.received).toHaveLength(1);
  const [{ attempt_log }] = (await deliveriesOf(account, webhook_id)) as [Reply];
  expect(attempt_log.map(({ status }: Reply) => status)).toEqual([...Array(attempt_log.length - 1).fill(null), 204]);
  expect(attempt_log.length).toBeGreaterThanOrEqual(hours.length + 2);
  // The log ends after 30 days, though the webhook has nothing to send.
  await moveForward(31 * DAY_MS);
  // Its session has ended.
  const { login, password } = account;
  const { hash } = await accounts.must("/user/auth", { login, password });
  await accounts.must("/vehicle/update", { hash, vehicle: { id, label: "A month later" } });
  await swept(
    "the log is empty",
    async () => (await accounts.must("/webhook/delivery/list", { hash, webhook_id })).list,
    (list: Reply[]) => list.length === 0,
  );
  await receiver.leave();
});

test("a webhook whose deliveries fail for five days is disabled, with a mail and an event", async () => {
  const [failing, watching] = [await newWebhookReceiver(status(503)), await newWebhookReceiver()];
  const account = await accounts.newAccount();
  const types = ["vehicle.created"];
  const { id: webhook_id } = await account.must("/webhook/create", {
    webhook: { label: "ERP", url: failing.url, types },
  });
  await account.must("/webhook/create", { webhook: { url: watching.url, types: ["webhook.disabled"] } });
  await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  await swept(
    "the first attempt has failed",
    async () => failing.received.length,
    (count) => count > 0,
  );
  await moveForward(4 * DAY_MS + 200 * HOUR_MS);
  await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  const value = await swept(
    "the webhook is disabled",
    async () => (await account.must("/webhook/read", { webhook_id })).value,
    ({ enabled }) => !enabled,
  );
  expect(value.disabled_reason).toBe("failing");
  await swept(
    "the event has arrived",
    async () => watching.types(),
    (seen) => seen.includes("webhook.disabled"),
  );
  const { hash } = await accounts.must("/panel/account/auth", OPERATOR);
  const { list } = await accounts.must("/panel/mail/list", { hash, filter: account.login });
  expect(list.map(({ subject }: Reply) => subject)).toContain("Webhook disabled: ERP");
  await Promise.all([failing.leave(), watching.leave()]);
});
