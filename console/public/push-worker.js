// The service worker of the console: it shows notifications, and opens the event of one that is pressed.
self.addEventListener("push", (push) => {
  const { category, event } = push.data.json();
  const options = {
    body: event.message,
    // A push service may repeat a notification: the same tag replaces it.
    tag: String(event.id),
    requireInteraction: event.extra.emergency === true,
    data: { category, path: `/events?event=${event.id}` },
  };
  push.waitUntil(self.registration.showNotification(event.extra.tracker_label ?? "", options));
});

self.addEventListener("notificationclick", (click) => {
  const { notification } = click;
  notification.close();
  click.waitUntil(openPath(notification.data.path));
});

/** Shows the path in an open tab of the console, which may ask first because of unsaved changes, or else in a new one. */
async function openPath(path) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ focused }) => focused) ?? tabs[0];
  if (!tab) return self.clients.openWindow(path);
  tab.postMessage({ open: path });
  return tab.focus();
}
