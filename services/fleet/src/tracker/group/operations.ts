import * as z from "zod";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { assignGroup, changeGroup, insertGroup, removeGroup, selectGroups } from "./queries.ts";
import { NewTrackerGroup, TrackerGroup } from "./schema.ts";

export const listTrackerGroups = operation("/tracker/group/list", {
  summary: "All groups of trackers; group 0, for trackers in no group, is not listed",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(TrackerGroup) }),
  errors: [],
  async run(_, { db, principal }) {
    return listAnswer({}, await selectGroups(db, principal));
  },
});

export const createTrackerGroup = operation("/tracker/group/create", {
  summary: "Creates a group of trackers",
  right: "admin",
  input: NewTrackerGroup,
  output: z.object({ id: z.int() }),
  errors: [268],
  async run(group, { db, principal, actor }) {
    const id = await insertGroup(db, principal, group, actor);
    return { id };
  },
});

export const updateTrackerGroup = operation("/tracker/group/update", {
  summary: "Changes a group's title and color",
  right: "admin",
  input: TrackerGroup,
  output: z.object({}),
  errors: [201],
  async run(group, { db, principal, actor }) {
    await changeGroup(db, principal, group, actor);
    return {};
  },
});

export const deleteTrackerGroup = operation("/tracker/group/delete", {
  summary: "Deletes a group; its trackers are in no group from then on",
  right: "admin",
  input: z.object({ id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ id }, { db, principal, actor }) {
    await removeGroup(db, principal, id, actor);
    return {};
  },
});

export const assignTrackerGroup = operation("/tracker/group/assign", {
  summary: "Puts all of the trackers into a group (0: no group), or in case of an error none",
  right: "admin",
  input: z.object({ id: z.int(), trackers: z.array(z.int()).max(10_000) }),
  output: z.object({}),
  errors: [201, 217],
  async run({ id, trackers }, { db, principal, actor }) {
    await assignGroup(db, principal, id, trackers, actor);
    return {};
  },
});

export const operations = [
  listTrackerGroups,
  createTrackerGroup,
  updateTrackerGroup,
  deleteTrackerGroup,
  assignTrackerGroup,
];
