import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Reply } from "../../../clients/typescript/src/index.ts";
import { createFormat, type Format } from "../format/format.ts";
import { call, codeOf } from "./api.ts";

export type UserInfo = Reply<"/user/get_info">;
/** Settings that the console stores for its user beside those of the API. */
export type ConsoleSettings = { theme?: "light" | "dark" | "auto"; mapStyle?: string };
export type UserData = { info: UserInfo; own: ConsoleSettings };

/** A right of a sub-user's group. The master has all of them. */
export type Right =
  | "tracker_update"
  | "tracker_configure"
  | "tracker_set_output"
  | "tracker_register"
  | "tracker_rule_update"
  | "tag_update"
  | "task_update"
  | "zone_update"
  | "place_update"
  | "form_template_update"
  | "completed_form_update"
  | "places_custom_fields_update"
  | "employee_update"
  | "vehicle_update"
  | "checkin_update"
  | "reports"
  | "webhook_update";

export type CurrentUser = UserData & {
  /** False for a sub-user. */
  isMaster: boolean;
  can(right: Right): boolean;
  format: Format;
};

const UI_KEY = "console";
const UserContext = createContext<CurrentUser | undefined>(undefined);

export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: async (): Promise<UserData> => {
    const [info, own] = await Promise.all([call("/user/get_info"), readConsoleSettings()]);
    return { info, own };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export function UserProvider({ data, children }: { data: UserData; children: ReactNode }) {
  const user = useMemo(() => toCurrentUser(data), [data]);
  return <UserContext.Provider value={user}>{children}</UserContext.Provider>;
}

/** The user who has signed in, with rights and formats. Only pages inside the frame have one. */
export function useUser(): CurrentUser {
  const user = useContext(UserContext);
  if (!user) throw new Error("There is no UserProvider.");
  return user;
}

/** Numbers, dates and units as the user wants them. */
export function useFormat(): Format {
  return useUser().format;
}

/** Stores settings that only the console knows. */
export function useSaveConsoleSettings() {
  const queries = useQueryClient();
  return async (changes: ConsoleSettings) => {
    const { own } = queries.getQueryData(userQuery.queryKey) ?? { own: {} };
    const settings = { ...own, ...changes };
    queries.setQueryData(userQuery.queryKey, (data) => data && { ...data, own: settings });
    await call("/user/settings/ui/update", { key: UI_KEY, value: JSON.stringify(settings) });
  };
}

function toCurrentUser(data: UserData): CurrentUser {
  const { user_info, privileges } = data.info;
  const rights = new Set<string>(privileges?.rights ?? []);
  const isMaster = privileges === undefined;
  return {
    ...data,
    isMaster,
    can: (right) => isMaster || rights.has(right),
    format: createFormat({
      locale: user_info.locale,
      timeZone: user_info.time_zone,
      measurement: user_info.measurement_system,
      hourMode: user_info.hour_mode,
    }),
  };
}

async function readConsoleSettings(): Promise<ConsoleSettings> {
  try {
    const { value } = await call("/user/settings/ui/read", { key: UI_KEY });
    const settings: ConsoleSettings = JSON.parse(value);
    return settings;
  } catch (thrown) {
    // 201: this user has stored nothing yet. A text that is no JSON counts as nothing, too.
    if (codeOf(thrown) !== 201 && !(thrown instanceof SyntaxError)) throw thrown;
    // Stored at once: the browser would report each further refusal as an error.
    await call("/user/settings/ui/update", { key: UI_KEY, value: "{}" }).catch(() => undefined);
    return {};
  }
}
