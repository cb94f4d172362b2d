import { z } from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { invalid } from "#shared/error/api-error.ts";
import { mergeChanges } from "#shared/operation/changes.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import type { GeoEnv } from "../env.ts";
import { refreshAccountRules } from "../object/refresh-rules.ts";
import { operation } from "../operation.ts";
import { bindTrackers, changeRule, insertRule, removeRule, unbindTrackers } from "./queries.ts";
import { ChangedRule, fitting, NewRule, Rule } from "./schema.ts";
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
  summary: "Creates a rule, on the trackers that it names; those that the caller does not see are passed over",
  right: "tracker_rule_update",
  input: z.object({ rule: NewRule }),
  output: z.object({ id: z.int() }),
  errors: [204, 268],
  async run({ rule }, { db, env, principal, actor }) {
    const whole = fitting(rule);
    const [trackers] = await Promise.all([
      ownTrackers(env, principal, rule.trackers),
      requireObserved(env, principal, observedBy(whole)),
    ]);
    const id = await insertRule(db, principal, whole, trackers, actor);
    await refreshAccountRules(env, principal.account_id);
    return { id };
  },
});

export const updateRule = operation("/tracker/rule/update", {
  summary: "Changes a rule: what is left out stays, objects and lists within it are given whole",
  right: "tracker_rule_update",
  input: z.object({ rule: ChangedRule }),
  output: z.object({}),
  errors: [201, 204],
  async run({ rule: { id, ...given } }, { db, env, principal, actor }) {
    await retryOutdated(async () => {
      const [current, trackers] = await Promise.all([
        requireCurrentRule(db, principal, id),
        given.trackers && ownTrackers(env, principal, given.trackers),
      ]);
      const members = fitting(mergeChanges(NewRule, membersOf(current, given), given, "rule"));
      if (members.type === "route" && members.zone_ids.length > 1) {
        throw invalid("rule.zone_ids", "must have exactly one item for this type");
      }
      // Those that it watches already stay, whoever made it.
      const watched = new Set(observedBy(current));
      await requireObserved(
        env,
        principal,
        observedBy(members).map((one) => (watched.has(one) ? null : one)),
      );
      await changeRule(db, principal, { id, current, members, trackers }, actor);
    });
    await refreshAccountRules(env, principal.account_id);
    return {};
  },
});

export const deleteRule = operation("/tracker/rule/delete", {
  summary: "Deletes a rule; what it told stays in history",
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
  summary: "Puts a rule on trackers; those that the caller does not see are passed over",
  right: "tracker_rule_update",
  input: BINDING,
  output: z.object({}),
  errors: [201],
  async run({ rule_id, trackers }, { db, env, principal, actor }) {
    await bindTrackers(db, principal, rule_id, await ownTrackers(env, principal, trackers), actor);
    await refreshAccountRules(env, principal.account_id);
    return {};
  },
});

export const unbindRule = operation("/tracker/rule/unbind", {
  summary: "Takes a rule off trackers; those that the caller does not see are passed over",
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

/** Of a rule whose type changes, what belonged to the type of before is not taken over. */
function membersOf(current: object & { type: string }, given: { type?: string | undefined }) {
  const keeps = given.type === undefined || given.type === current.type;
  return keeps ? current : { ...current, extended_params: {} };
}

/** Of the ids, null for such as need no look: 7 names the first that is no tracker of the caller's, or a clone. */
async function requireObserved({ FLEET }: GeoEnv, principal: Principal, ids: (number | null)[]) {
  const looked = [...new Set(ids)].filter((id) => id !== null);
  if (looked.length === 0) return;
  const found = await FLEET.trackersOf(principal, looked);
  const own = new Set(found.flatMap(({ tracker_id, clone }) => (clone ? [] : [tracker_id])));
  const index = ids.findIndex((id) => id !== null && !own.has(id));
  if (index >= 0)
    throw invalid(`rule.extended_params.observed_trackers.${index}`, "is not a tracker that can be watched");
}

function observedBy({ extended_params }: { extended_params: object }): number[] {
  const observed = "observed_trackers" in extended_params ? extended_params.observed_trackers : undefined;
  return Array.isArray(observed) ? observed : [];
}

/** Those of the ids that the caller sees. The points of a clone are another tracker's: no rule follows them. */
async function ownTrackers({ FLEET }: GeoEnv, principal: Principal, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const found = await FLEET.trackersOf(principal, [...new Set(ids)]);
  return found.filter(({ clone }) => !clone).map(({ tracker_id }) => tracker_id);
}

export const operations = [listRules, createRule, updateRule, deleteRule, bindRule, unbindRule];
