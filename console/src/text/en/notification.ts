export const notification = {
  title: "Notifications",
  text: "This browser shows events as they happen, also while the console is closed.",
  events: "All events",
  enable: "Show notifications in this browser",
  categories: "Of which events",
  categoryNames: {
    history_rule: "Rules",
    history_task: "Tasks",
    history_service_task: "Due services of vehicles",
    history_work_status: "Work statuses",
    history_info: "Other messages of devices and drivers",
  },
  obstacles: {
    insecure: "Notifications need an address that begins with https.",
    unsupported: "This browser cannot receive notifications. Private windows and phones may need another browser.",
    denied: "This browser blocks notifications of the console. Allow them in the browser's settings of this page.",
  },
  noPush: "This installation does not send notifications. Ask its operator.",
  refused: "The browser could not subscribe to its push service. Try again later, or with another browser.",
  others: "Other browsers and apps",
  othersHint: "End their session below to end their notifications.",
};
