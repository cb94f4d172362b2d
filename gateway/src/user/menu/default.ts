type Item = { name: string; items?: Item[] };

/** The menu of the web application, whole: what users see for whom nothing else was settled. */
export function menuOf(application: string) {
  return {
    application,
    account_menu: named("subusers", "info", "bills", "entities", "auth-journal", "plugins", "tags"),
    main_menu: [
      { name: "online_main", items: named("online", "mix") },
      { name: "reports_main", items: named("reports", "schedule") },
      {
        name: "fleet_main",
        items: named("fleet", "fleet_app", "fleetStaff", "driver_journal", "driver_skills", "service_works"),
      },
      {
        name: "tasks_main",
        items: named(
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
    footer_menu: named("registration", "chat", "notifications", "configuration", "help", "chat_support"),
  };
}

function named(...names: string[]): Item[] {
  return names.map((name) => ({ name }));
}
