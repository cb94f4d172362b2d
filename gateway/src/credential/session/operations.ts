import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import { operation } from "../../operation.ts";
import { PUSH_APPLICATIONS } from "../../table/push/push-token.ts";
import { refreshGuards } from "../guard/refresh.ts";
import { endSession, LISTED_KINDS, selectSessions } from "./queries.ts";

export const Session = z.object({
  id: z.int(),
  /** `delegated`: created by an operator, or by the master for a sub-user. */
  kind: z.enum(LISTED_KINDS),
  /** API keys only. */
  title: z.string().optional(),
  created: dateTime(),
  /** Null for an API key, which does not expire. */
  expires: dateTime().nullable(),
  /** The address and program of the call that created it. */
  host: z.string(),
  user_agent: z.string(),
  /** True for the session of this call. */
  current: z.boolean(),
  /** Where the session's notifications go, and of which categories; absent without a push token. */
  push: z.object({ application: z.enum(PUSH_APPLICATIONS), category_filter: z.string() }).optional(),
});

export const listSessions = operation("/user/session/list", {
  summary: "The caller's sessions, including those that operators and masters created, and its API keys, oldest first",
  accepts: ["session"],
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Session) }),
  errors: [4],
  async run(_input, { db, principal, clock }) {
    const rows = await selectSessions(db, principal, clock.now());
    const list = rows.map(({ credential, push }) => {
      const { id, kind, title, created, expires_at, host, user_agent, key } = credential;
      const isKey = kind === "api_key";
      return {
        ...{ id, kind: LISTED_KINDS.find((one) => one === kind) ?? "session", created, host, user_agent },
        expires: isKey ? null : expires_at,
        current: key === principal.key,
        ...(isKey && toTitle(title)),
        ...(push && { push }),
      };
    });
    return { list };
  },
});

export const deleteSession = operation("/user/session/delete", {
  summary:
    "Ends a session of the caller, and the sessions for other users that it created; api/key/delete ends API keys",
  accepts: ["session"],
  input: z.object({ session_id: z.int() }),
  output: z.object({}),
  errors: [4, 201],
  async run({ session_id }, { db, env, principal, actor }) {
    await refreshGuards(env, await endSession(db, principal, session_id, actor));
    return {};
  },
});

export const operations = [listSessions, deleteSession];

function toTitle(title: string | null) {
  return { title: title ?? "" };
}
