import type { Page } from "playwright-core";
import { waitUntil } from "../wait.ts";

/** Gives a push message to the service worker of a page, as its browser would; returns the notification that it shows. */
export async function deliverPush(page: Page, message: object): Promise<unknown> {
  const context = page.context();
  const [worker] = context.serviceWorkers();
  // A browser without a screen shows no notifications: the worker keeps what it would show.
  await worker?.evaluate(`self.registration.showNotification = async (title, options) => {
    self.shown = { title, ...options };
  }`);
  const tools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await tools.send("ServiceWorker.enable");
  const { origin } = new URL(page.url());
  const data = JSON.stringify(message);
  await tools.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
  return waitUntil("the worker shows a notification", () => worker?.evaluate("self.shown"));
}
