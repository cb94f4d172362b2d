import { expect, test } from "vitest";
import { systemNow, writeLocal } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, accountsOn, must, newAccount, type Reply } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { newWebhookReceiver } from "#test/tool/receiver/webhook-receiver.ts";
import { stack } from "#test/tool/system/stack.ts";
import { waitUntil } from "#test/tool/wait.ts";

const { call, fireCron } = accountsOn(stack);

/** A sub-user who may make webhooks and see the tracker. */
async function newHookedSubUser(owner: Account, tracker_id: number) {
  const { id: subuser_id, hash } = await newSubUser(owner);
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker_id] });
  const privileges = { rights: ["webhook_update"], store_period: "30d" };
  const { id: group_id } = await owner.must("/subuser/security_group/create", {
    group: { label: "Hooks", privileges },
  });
  await owner.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  return { subuser_id, hash };
}

test("a webhook of a sub-user who is not activated delivers nothing, counts among the twenty, and goes on afterwards", async () => {
  const [receiver, witness] = [await newWebhookReceiver(), await newWebhookReceiver()];
  const owner = await newAccount();
  const { id: tracker_id } = await owner.newTracker();
  const { subuser_id, hash } = await newHookedSubUser(owner, tracker_id);
  const types = ["tracker.updated"];
  const { id: webhook_id } = await must("/webhook/create", { hash, webhook: { url: receiver.url, types } });
  const { id: witness_id } = await owner.must("/webhook/create", { webhook: { url: witness.url, types } });
  const activate = (activated: boolean) => owner.must("/subuser/update", { user: { id: subuser_id, activated } });
  await activate(false);
  await owner.must("/tracker/settings/update", { tracker_id, label: "While shut out", group_id: 0 });
  await waitUntil(
    "the webhook of the master has got the event",
    async () => {
      await fireCron("fleet");
      return witness.received.length;
    },
    (count) => count === 1,
  );
  await fireCron("gateway");
  // The master sees the log of the sub-user's webhook.
  expect((await owner.must("/webhook/delivery/list", { webhook_id })).list).toEqual([]);
  expect(receiver.received).toEqual([]);

  const silent = { url: "http://127.0.0.1:9/", enabled: false };
  for (let number = 3; number <= 20; number++) await owner.must("/webhook/create", { webhook: silent });
  expect((await owner.call("/webhook/create", { webhook: silent })).status?.code).toBe(268);

  await activate(true);
  await owner.must("/tracker/settings/update", { tracker_id, label: "Afterwards", group_id: 0 });
  await waitUntil(
    "both events have arrived",
    async () => {
      await fireCron("fleet");
      await fireCron("gateway");
      return receiver.received.map(({ data }) => data.id);
    },
    ({ length }) => length === 2,
  );
  expect((await owner.must("/webhook/delivery/list", { webhook_id: witness_id })).list).toHaveLength(2);
  await Promise.all([receiver.leave(), witness.leave()]);
});

test("a deleted sub-user's webhook is deleted with its log, delivers nothing more and no longer counts", async () => {
  const receiver = await newWebhookReceiver();
  const owner = await newAccount();
  const { id: tracker_id } = await owner.newTracker();
  const { subuser_id, hash } = await newHookedSubUser(owner, tracker_id);
  const webhook = { url: receiver.url, enabled: false };
  const { id: webhook_id } = await must("/webhook/create", { hash, webhook });
  await must("/webhook/test", { hash, webhook_id });
  expect((await owner.must("/webhook/delivery/list", { webhook_id })).list).toHaveLength(1);
  for (let number = 2; number <= 20; number++) await owner.must("/webhook/create", { webhook });
  await owner.must("/subuser/delete", { subuser_id });
  expect((await call("/webhook/delivery/list", { hash: owner.hash, webhook_id })).status.code).toBe(201);
  await owner.must("/webhook/create", { webhook });
  expect((await owner.must("/webhook/list")).list).toHaveLength(20);
  await receiver.leave();
});

test("the audit entry of a replay is in the log before the first replayed delivery arrives", async () => {
  const owner = await newAccount();
  const [from, to] = [-1, 1].map((days) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin"));
  const replaysOf = async (): Promise<Reply[]> =>
    (await owner.must("/user/audit/log/list", { from, to })).list.filter(({ action }: Reply) => action === "replay");
  const seen: number[] = [];
  const receiver = await newWebhookReceiver(async (response) => {
    seen.push((await replaysOf()).length);
    response.writeHead(204).end();
  });
  const { id: webhook_id } = await owner.must("/webhook/create", {
    webhook: { url: receiver.url, types: ["garage.*"] },
  });
  const { value } = await owner.must("/webhook/test", { webhook_id });
  expect(value.state).toBe("delivered");
  await owner.must("/webhook/delivery/replay", { webhook_id, delivery_ids: [value.id] });
  await waitUntil(
    "the replayed delivery has arrived",
    async () => receiver.received.filter(({ id }) => id === value.event_id).length,
    (count) => count === 2,
  );
  expect(await replaysOf()).toMatchObject([{ entry_category: "webhook", entry_id: webhook_id }]);
  const arrivals = receiver.received.map(({ id }) => id);
  await waitUntil(
    "its answer is sent",
    async () => seen.length,
    (count) => count >= arrivals.length,
  );
  expect(seen[arrivals.lastIndexOf(value.event_id)]).toBe(1);
  await receiver.leave();
});
