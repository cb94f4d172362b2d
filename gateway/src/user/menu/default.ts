type Item = { name: string; items?: Item[] };

/** The complete menu of the web application, for users whose operators have set none. */
export function createDefaultMenu(application: string) {
  return {
    application,
    account_menu: toItems("subusers", "info", "bills", "entities", "auth-journal", "plugins", "tags"),
    main_menu: [
      { name: "online_main", items: toItems("online", "mix") },
      { name: "reports_main", items: toItems("reports", "schedule") },
      {
        name: "fleet_main",
        items: toItems("fleet", "fleet_app", "fleetStaff", "driver_journal", "driver_skills", "service_works"),
      },
      {
        name: "tasks_main",
        items: toItems(
          "tasks",
          "tasks_app",
          "templates",
          "forms",
          "places",
          "staff",
          "departments",
          "process",
          "oldTasks",
        ),
      },
      { name: "applications" },
    ],
    footer_menu: toItems("registration", "chat", "notifications", "configuration", "help", "chat_support"),
  };
}

function toItems(...names: string[]): Item[] {
  return names.map((name) => ({ name }));
}
