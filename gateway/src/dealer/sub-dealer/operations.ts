import * as z from "zod";
import { toPartial } from "#shared/operation/partial.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { hashPassword } from "../../credential/password/hash.ts";
import { Password, requirePolicy } from "../../credential/password/policy.ts";
import { operation } from "../../operation.ts";
import { BLOCK_TYPES } from "../../table/dealer.ts";
import { ALL_PERMISSIONS } from "../operator/permissions.ts";
import { changeSubDealer, insertSubDealer, requireSubDealer, selectSubDealers } from "./queries.ts";
import { DEALER_FEATURES, NewSubDealer, SubDealer, toSubDealer } from "./schema.ts";

export const createSubpaas = operation("/panel/subpaas/create", {
  summary: "Creates a sub-dealer, blocked at first, and its operator, whose login is the e-mail address",
  accepts: ["operator"],
  permission: ["subpaas", "create"],
  input: NewSubDealer.extend({ password: Password }),
  output: z.object({ id: z.int() }),
  errors: [13, 206, 247],
  async run({ password, ...subDealer }, { db, env, principal }) {
    requirePolicy(env, password);
    const login = subDealer.email.toLowerCase();
    const first = { login, password: await hashPassword(password, env), permissions: SUB_DEALER_PERMISSIONS };
    return { id: await insertSubDealer(db, principal, subDealer, first) };
  },
});

export const listSubpaas = operation("/panel/subpaas/list", {
  summary: "The sub-dealers of the dealer",
  accepts: ["operator"],
  permission: ["subpaas", "read"],
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(SubDealer) }),
  errors: [13],
  async run(_input, { db, principal }) {
    return { list: (await selectSubDealers(db, principal)).map(toSubDealer) };
  },
});

export const readSubpaas = operation("/panel/subpaas/read", {
  summary: "A sub-dealer",
  accepts: ["operator"],
  permission: ["subpaas", "read"],
  reads: true,
  input: z.object({ dealer_id: z.int() }),
  output: z.object({ value: SubDealer }),
  errors: [13, 201],
  async run({ dealer_id }, { db, principal }) {
    return { value: toSubDealer(await requireSubDealer(db, principal, dealer_id)) };
  },
});

export const updateSubpaas = operation("/panel/subpaas/update", {
  summary:
    "Changes a sub-dealer; members left out stay. A block ends its operators' sessions at once, its users get 11",
  accepts: ["operator"],
  permission: ["subpaas", "update"],
  input: toPartial(NewSubDealer).extend({
    dealer_id: z.int(),
    block_type: z.enum(BLOCK_TYPES).optional(),
    features: z.array(z.enum(DEALER_FEATURES)).max(100).optional(),
    /** The new password of its first operator, whose login stays. */
    password: Password.optional(),
  }),
  output: z.object({}),
  errors: [13, 201, 247],
  async run({ dealer_id, link_monitoring, password, ...changes }, { db, env, principal }) {
    if (password !== undefined) requirePolicy(env, password);
    const stored = password && (await hashPassword(password, env));
    const columns = { ...changes, ui_domain: link_monitoring };
    await refreshGuards(env, await changeSubDealer(db, principal, dealer_id, columns, stored));
    return {};
  },
});

export const operations = [createSubpaas, listSubpaas, readSubpaas, updateSubpaas];

/** All permissions except `global`, which reaches other dealers and is for operators of the root dealer alone. */
const SUB_DEALER_PERMISSIONS = Object.fromEntries(
  Object.entries(ALL_PERMISSIONS).map(([category, operations]) => [
    category,
    operations.filter((one) => one !== "global"),
  ]),
);
