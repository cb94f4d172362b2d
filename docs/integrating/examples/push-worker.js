// The service worker of a page that has subscribed: it shows notifications.
self.addEventListener("push", (push) => {
  const { category, event } = push.data.json();
  const options = { body: event.message, tag: String(event.id), data: { category } };
  push.waitUntil(self.registration.showNotification(event.extra.tracker_label, options));
});
