import * as z from "zod";
import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import { refreshGuards } from "../credential/guard/refresh.ts";
import { operation } from "../operation.ts";
import { requireMultilevel, requireMultilevelForTrackers } from "./account/access.ts";
import { bindTrackers, selectBoundTrackers, unbindTrackers } from "./queries.ts";

const FEATURE = "multilevel_access on all trackers";
/** The common part of the declarations that bind and unbind. */
const BINDING = {
  right: "admin" as const,
  feature: FEATURE,
  input: z.object({ subuser_id: z.int(), trackers: z.array(z.int()).max(10_000) }),
  output: z.object({}),
  errors: [13, 201, 236, 262] satisfies ErrorCode[],
};

export const bindSubUserTracker = operation("/subuser/tracker/bind", {
  ...BINDING,
  summary: "Shows trackers to a sub-user, with their vehicles, tasks, events and other data",
  async run({ subuser_id, trackers }, { db, env, principal, actor }) {
    await requireMultilevelForTrackers(env, principal, trackers);
    await refreshGuards(env, await bindTrackers(db, principal, subuser_id, trackers, actor));
    return {};
  },
});

export const unbindSubUserTracker = operation("/subuser/tracker/unbind", {
  ...BINDING,
  summary: "Hides trackers from a sub-user, with their vehicles, tasks, events and other data",
  async run({ subuser_id, trackers }, { db, env, principal, actor }) {
    await requireMultilevelForTrackers(env, principal, trackers);
    await refreshGuards(env, await unbindTrackers(db, principal, subuser_id, trackers, actor));
    return {};
  },
});

export const listSubUserTrackers = operation("/subuser/tracker/list", {
  summary: "The ids of the trackers that a sub-user sees",
  right: "admin",
  feature: FEATURE,
  reads: true,
  input: z.object({ subuser_id: z.int() }),
  output: z.object({ list: z.array(z.int()) }),
  errors: [13, 201, 236],
  async run({ subuser_id }, { db, env, principal }) {
    const bound = await selectBoundTrackers(db, principal, subuser_id).catch(async (thrown) => {
      // A missing tariff feature (236) is answered before an unknown sub-user (201).
      await requireMultilevel(env, principal);
      throw thrown;
    });
    // Bindings of removed trackers may remain here; the fleet service knows the existing ones.
    const { allowed, known } = await env.FLEET.accessOf(principal, "multilevel_access", bound);
    if (!allowed) throw new ApiError(236);
    const existing = new Set(known);
    return { list: bound.filter((id) => existing.has(id)) };
  },
});

export const operations = [bindSubUserTracker, unbindSubUserTracker, listSubUserTrackers];
