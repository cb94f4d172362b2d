/** All permissions: those of the first operator of an installation. */
export const ALL_PERMISSIONS: Record<string, string[]> = Object.fromEntries(
  [
    "base",
    "service_settings",
    "tariffs",
    "users",
    "user_sessions",
    "trackers",
    "tracker_bundles",
    "activation_code",
    "transactions",
    "subpaas",
    "password",
  ].map((category) => [category, ["create", "read", "update", "delete", "corrupt", "global"]]),
);
