import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { invalid } from "#shared/error/api-error.ts";
import { mergeChanges } from "#shared/operation/changes.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import type { GeoEnv } from "../env.ts";
import { refreshAccountRules } from "../object/refresh-rules.ts";
import { operation } from "../operation.ts";
import { bindTrackers, changeRule, insertRule, removeRule, unbindTrackers } from "./queries.ts";
import { ChangedRule, fitToType, NewRule, Rule } from "./schema.ts";
import { requireCurrentRule, selectRules } from "./visible-queries.ts";

export const listRules = operation("/tracker/rule/list", {
  summary: "The rules that the caller sees, of all trackers or of one",
  reads: true,
  input: z.object({ tracker_id: z.int().nullable().default(null) }),
  output: z.object({ list: z.array(Rule) }),
  errors: [],
  async run({ tracker_id }, { db, principal }) {
    return listAnswer({}, await selectRules(db, principal, tracker_id));
  },
});

export const createRule = operation("/tracker/rule/create", {
  summary: "Creates a rule on trackers; trackers that the caller does not see are skipped",
  right: "tracker_rule_update",
  input: z.object({ rule: NewRule }),
  output: z.object({ id: z.int() }),
  errors: [204, 268],
  async run({ rule }, { db, env, principal, actor }) {
    const whole = fitToType(rule);
    const [trackers] = await Promise.all([
      findOwnTrackers(env, principal, rule.trackers),
      requireObserved(env, principal, observedIdsOf(whole)),
    ]);
    const id = await insertRule(db, principal, whole, trackers, actor);
    await refreshAccountRules(env, principal.account_id);
    return { id };
  },
});

export const updateRule = operation("/tracker/rule/update", {
  summary: "Changes a rule; what is left out stays, objects and lists within it are replaced as a whole",
  right: "tracker_rule_update",
  input: z.object({ rule: ChangedRule }),
  output: z.object({}),
  errors: [201, 204],
  async run({ rule: { id, ...changes } }, { db, env, principal, actor }) {
    await retryOutdated(async () => {
      const [current, trackers] = await Promise.all([
        requireCurrentRule(db, principal, id),
        changes.trackers && findOwnTrackers(env, principal, changes.trackers),
      ]);
      const members = fitToType(mergeChanges(NewRule, mergeableMembers(current, changes), changes, "rule"));
      if (members.type === "route" && members.zone_ids.length > 1) {
        throw invalid("rule.zone_ids", "must have exactly one item for this type");
      }
      // Trackers that the rule observes already may stay, even if the caller cannot see them.
      const watched = new Set(observedIdsOf(current));
      await requireObserved(
        env,
        principal,
        observedIdsOf(members).map((one) => (watched.has(one) ? null : one)),
      );
      await changeRule(db, principal, { id, current, members, trackers }, actor);
    });
    await refreshAccountRules(env, principal.account_id);
    return {};
  },
});

export const deleteRule = operation("/tracker/rule/delete", {
  summary: "Deletes a rule; its events stay in history",
  right: "tracker_rule_update",
  input: z.object({ rule_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ rule_id }, { db, env, principal, actor }) {
    await removeRule(db, principal, rule_id, actor);
    await refreshAccountRules(env, principal.account_id);
    return {};
  },
});

const BINDING = z.object({ rule_id: z.int(), trackers: z.array(z.int()).max(10_000) });

export const bindRule = operation("/tracker/rule/bind", {
  summary: "Binds a rule to trackers; trackers that the caller does not see are skipped",
  right: "tracker_rule_update",
  input: BINDING,
  output: z.object({}),
  errors: [201],
  async run({ rule_id, trackers }, { db, env, principal, actor }) {
    await bindTrackers(db, principal, rule_id, await findOwnTrackers(env, principal, trackers), actor);
    await refreshAccountRules(env, principal.account_id);
    return {};
  },
});

export const unbindRule = operation("/tracker/rule/unbind", {
  summary: "Unbinds a rule from trackers; trackers that the caller does not see are skipped",
  right: "tracker_rule_update",
  input: BINDING,
  output: z.object({}),
  errors: [201],
  async run({ rule_id, trackers }, { db, env, principal, actor }) {
    await unbindTrackers(db, principal, rule_id, trackers, actor);
    await refreshAccountRules(env, principal.account_id);
    return {};
  },
});

/** The stored members that an update is merged into. A change of the type drops the old type's `extended_params`. */
function mergeableMembers(current: object & { type: string }, changes: { type?: string | undefined }) {
  const keeps = changes.type === undefined || changes.type === current.type;
  return keeps ? current : { ...current, extended_params: {} };
}

/** Throws 7 at the first id that is not a tracker of the caller's, or is a clone. Null ids are skipped. */
async function requireObserved({ FLEET }: GeoEnv, principal: Principal, ids: (number | null)[]) {
  const newIds = [...new Set(ids)].filter((id) => id !== null);
  if (newIds.length === 0) return;
  const visible = await FLEET.trackersOf(principal, newIds);
  const own = new Set(visible.flatMap(({ tracker_id, clone }) => (clone ? [] : [tracker_id])));
  const index = ids.findIndex((id) => id !== null && !own.has(id));
  if (index >= 0)
    throw invalid(`rule.extended_params.observed_trackers.${index}`, "is not a tracker that can be watched");
}

function observedIdsOf({ extended_params }: { extended_params: object }): number[] {
  const observed = "observed_trackers" in extended_params ? extended_params.observed_trackers : undefined;
  return Array.isArray(observed) ? observed : [];
}

/** The ids of trackers that the caller sees. Clones are left out: their points belong to another tracker. */
async function findOwnTrackers({ FLEET }: GeoEnv, principal: Principal, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const visible = await FLEET.trackersOf(principal, [...new Set(ids)]);
  return visible.filter(({ clone }) => !clone).map(({ tracker_id }) => tracker_id);
}

export const operations = [listRules, createRule, updateRule, deleteRule, bindRule, unbindRule];
