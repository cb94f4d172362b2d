import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import { refreshGuards } from "../../credential/guard/refresh.ts";
import { operation } from "../../operation.ts";
import { requireMultilevel } from "../account/access.ts";
import { assignGroup, deleteGroup, insertGroup, selectGroups, updateGroup } from "./queries.ts";
import { NewSecurityGroup, SecurityGroup, SecurityGroupChanges, toSecurityGroup } from "./schema.ts";

const FEATURE = "multilevel_access on all trackers";

export const createSecurityGroup = operation("/subuser/security_group/create", {
  summary: "Creates a group of rights for sub-users",
  right: "admin",
  feature: FEATURE,
  input: z.object({ group: NewSecurityGroup }),
  output: z.object({ id: z.int() }),
  errors: [13, 236, 268],
  async run({ group }, { db, env, principal, actor }) {
    await requireMultilevel(env, principal);
    return { id: await insertGroup(db, principal, group, actor) };
  },
});

export const updateSecurityGroup = operation("/subuser/security_group/update", {
  summary: "Changes a group and at once the rights of its sub-users; members left out stay",
  right: "admin",
  feature: FEATURE,
  input: z.object({ group: SecurityGroupChanges }),
  output: z.object({}),
  errors: [13, 201, 236],
  async run({ group }, { db, env, principal, actor }) {
    await requireMultilevel(env, principal);
    await refreshGuards(env, await updateGroup(db, principal, group, actor));
    return {};
  },
});

export const deleteSecurityGroup = operation("/subuser/security_group/delete", {
  summary: "Deletes a group; its sub-users lose its rights",
  right: "admin",
  feature: FEATURE,
  input: z.object({ security_group_id: z.int().optional(), id: z.int().optional() }),
  output: z.object({}),
  errors: [13, 201, 236],
  async run({ id, security_group_id = id }, { db, env, principal, actor }) {
    if (security_group_id === undefined) throw invalid("security_group_id", "is required");
    await requireMultilevel(env, principal);
    await refreshGuards(env, await deleteGroup(db, principal, security_group_id, actor));
    return {};
  },
});

export const listSecurityGroups = operation("/subuser/security_group/list", {
  summary: "Lists the account's groups of rights",
  right: "admin",
  feature: FEATURE,
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(SecurityGroup) }),
  errors: [13, 236],
  async run(_input, { db, env, principal }) {
    await requireMultilevel(env, principal);
    return { list: (await selectGroups(db, principal)).map(toSecurityGroup) };
  },
});

export const assignSecurityGroup = operation("/subuser/security_group/assign", {
  summary: "Puts sub-users into a group, or into none; if one is unknown, nothing changes",
  right: "admin",
  feature: FEATURE,
  input: z.object({ group_id: z.int().nullable(), subuser_ids: z.array(z.int()).max(10_000) }),
  output: z.object({}),
  errors: [13, 201, 236],
  async run({ group_id, subuser_ids }, { db, env, principal, actor }) {
    await requireMultilevel(env, principal);
    await refreshGuards(env, await assignGroup(db, principal, group_id, subuser_ids, actor));
    return {};
  },
});

export const operations = [
  createSecurityGroup,
  updateSecurityGroup,
  deleteSecurityGroup,
  listSecurityGroups,
  assignSecurityGroup,
];
