import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../tool/console/browser.ts";
import { inspectPage } from "../tool/console/console-page.ts";
import { type ConsoleSystem, startConsoleSystem } from "../tool/console/console-system.ts";
import { deliverPush } from "../tool/console/push-message.ts";
import { startPushService } from "../tool/receiver/push-service.ts";
import { waitUntil } from "../tool/wait.ts";

describe.skipIf(!hasBrowser)("the console's notifications", () => {
  let fleet: ConsoleSystem;
  let service: Awaited<ReturnType<typeof startPushService>>;
  beforeAll(async () => {
    [fleet, service] = await Promise.all([startConsoleSystem(), startPushService()]);
  });
  afterAll(async () => {
    service?.stop();
    await fleet?.stop();
  });

  test("a browser that allows notifications is bound to the session with its categories, shows events, and opens the one that is pressed", async () => {
    const account = await fleet.newAccount();
    const { page, context, problems, close } = await fleet.openApart("/settings", account);
    const card = page.locator("#notifications");
    await card.getByText("This browser blocks notifications of the console.", { exact: false }).waitFor();
    const { token } = service.subscribe();
    await page.addInitScript(permittedSubscription(token.token, token.parameters));
    await page.reload();
    await card.getByRole("switch", { name: "Show notifications in this browser" }).click();
    await filterIs("*");
    await card.getByRole("checkbox", { name: "Tasks" }).click();
    await filterIs("history_rule,history_service_task,history_work_status,history_info");
    await inspectPage(page, "notifications");

    const event = { id: 815, message: "Too fast", extra: { tracker_label: "Van 7", emergency: true } };
    const shown = await deliverPush(page, { category: "history_rule", event });
    expect(shown).toMatchObject({ title: "Van 7", body: "Too fast", tag: "815", requireInteraction: true });
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(PRESS);
    await page.waitForURL("**/events?event=815");

    await page.getByRole("link", { name: "Notifications" }).click();
    await card.getByRole("switch", { name: "Show notifications in this browser" }).click();
    await filterIs(undefined);
    expect(problems).toEqual([]);
    await close();

    function filterIs(wanted: string | undefined) {
      const read = async () => (await account.must("/user/session/list")).list[0].push?.category_filter;
      return waitUntil(`the session gets ${wanted}`, read, (filter) => filter === wanted);
    }
  });
});

/** A script that permits notifications, which no browser without a screen does, and replaces its push service on the Internet. */
function permittedSubscription(endpoint: string, keys: object): string {
  return `{
    Object.defineProperty(Notification, "permission", { value: "granted" });
    Notification.requestPermission = async () => "granted";
    const subscription = {
      endpoint: ${JSON.stringify(endpoint)},
      toJSON: () => ({ keys: ${JSON.stringify(keys)} }),
      unsubscribe: async () => localStorage.removeItem("fake-subscription"),
    };
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem("fake-subscription", "1");
      return subscription;
    };
    PushManager.prototype.getSubscription = async () => localStorage.getItem("fake-subscription") && subscription;
  }`;
}

/** A script by which the worker sees that its notification is pressed. Only a press by a person may bring the tab to the front. */
const PRESS = `{
  const press = new Event("notificationclick");
  press.notification = { close() {}, data: self.shown.data };
  press.waitUntil = (work) => work.catch(() => undefined);
  self.dispatchEvent(press);
}`;
