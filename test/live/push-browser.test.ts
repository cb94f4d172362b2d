import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { HOUR_MS } from "../../shared/time/duration.ts";
import { feed, newAccount, newImei } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { connectBrowser } from "../tool/console/lent-browser.ts";
import { startPageServer } from "../tool/console/page-server.ts";
import { deliverPush } from "../tool/console/push-message.ts";
import { startPushService } from "../tool/receiver/push-service.ts";
import { stack } from "../tool/system/stack.ts";
import { waitUntil } from "../tool/wait.ts";

describe.skipIf(!hasBrowser)("the page of an integrator", () => {
  let service: Awaited<ReturnType<typeof startPushService>>;
  let browser: Awaited<ReturnType<typeof connectBrowser>>;
  let server: Awaited<ReturnType<typeof startPageServer>>;
  beforeAll(async () => {
    [service, browser, server] = await Promise.all([
      startPushService(),
      connectBrowser(),
      startPageServer(join(ROOT, "docs", "integrating", "examples")),
    ]);
  });
  afterAll(async () => {
    server?.stop();
    service?.stop();
    await browser?.close();
  });

  test("an integrator's page subscribes to the notifications of a session, and its service worker shows them", async () => {
    const account = await newAccount();
    const imei = newImei();
    const { id: tracker_id } = await account.newTracker({ label: "Van 7", device_id: imei });
    const context = await browser.newContext({ permissions: ["notifications"] });
    const page = await context.newPage();
    await page.goto(server.origin);
    // The browser's own push service is on the Internet.
    const subscription = service.subscribe();
    const { token: endpoint, parameters: keys } = subscription.token;
    await page.evaluate(`PushManager.prototype.subscribe = async () => ({
      toJSON: () => (${JSON.stringify({ endpoint, keys })}) })`);
    const bound = await page.evaluate(`import("/push-page.js").then(({ subscribe }) =>
      subscribe(${JSON.stringify(stack.baseUrl)}, ${JSON.stringify(account.hash)}))`);
    expect(bound).toMatchObject({ success: true });

    const rule = { type: "speedup", name: "Speed", param: 90, primary_text: "Too fast", trackers: [tracker_id] };
    const alerts = { push_enabled: true };
    await account.must("/tracker/rule/create", { rule: { ...rule, alerts } });
    const start = systemNow() - HOUR_MS;
    // The feed may know the rules as they were a second ago: pairs of points follow each other until it knows this one.
    let second = 0;
    const speedUp = async () => {
      const at = (speed: number) => ({ time: start + 1000 * second++, lat: 48.1, lng: 11.5, speed });
      await feed(imei, [at(50), at(120)]);
      await stack.fireCron("fleet");
      return subscription.received();
    };
    const [push] = await waitUntil("the push service has the event", speedUp, ({ length }) => length > 0);

    const shown = await deliverPush(page, push);
    const { event } = push;
    const data = { category: "history_rule" };
    expect(shown).toEqual({ title: "Van 7", body: event.message, tag: String(event.id), data });
    await context.close();
  });
});
