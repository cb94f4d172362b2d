import * as z from "zod";
import { ConnectedTracker, Label, type PanelTracker, TRACKER_ORDERS } from "#shared/contract/tracker/tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { text } from "#shared/operation/fields.ts";
import type { GatewayEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import { userExists } from "../../user/master/queries.ts";
import { PAGE_PARAMETERS } from "../page.ts";

export const listTrackers = operation("/panel/tracker/list", {
  summary: "The trackers of the dealer's users, filtered by label, device id or phone, sorted and in pages",
  accepts: ["operator"],
  permission: ["trackers", "read"],
  reads: true,
  input: z.object({
    user_id: z.int().optional(),
    tariff_id: z.int().optional(),
    filter: z.string().max(100).nullable().default(null),
    order_by: z.enum(TRACKER_ORDERS).default("id"),
    ascending: z.boolean().default(true),
    ...PAGE_PARAMETERS,
  }),
  output: z.object({ list: z.array(ConnectedTracker), count: z.int() }),
  errors: [13],
  async run(search, { env, principal }) {
    const { trackers, count } = await env.FLEET.listTrackers(principal, search);
    return { list: await withConnections(env, trackers), count };
  },
});

export const readTracker = operation("/panel/tracker/read", {
  summary: "A tracker with all values that an operator sets, also a removed one",
  accepts: ["operator"],
  permission: ["trackers", "read"],
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ value: ConnectedTracker }),
  errors: [13, 201],
  async run({ tracker_id }, { env, principal }) {
    const [value] = await withConnections(env, [await env.FLEET.readTracker(principal, tracker_id)]);
    if (!value) throw new ApiError(201);
    return { value };
  },
});

export const updateSource = operation("/panel/tracker/source/update", {
  summary: "Blocks or unblocks a device; from then on its owner gets 208",
  accepts: ["operator"],
  permission: ["trackers", "update"],
  writesElsewhere: true,
  input: z.object({ tracker_id: z.int(), blocked: z.boolean() }),
  output: z.object({}),
  errors: [13, 201, 252],
  async run({ tracker_id, blocked }, { env, principal, actor }) {
    await env.FLEET.blockSource(principal, tracker_id, blocked, actor);
    return {};
  },
});

export const updateTracker = operation("/panel/tracker/settings/update", {
  summary: "Changes a tracker's label and the operator's comment; members left out stay",
  accepts: ["operator"],
  permission: ["trackers", "update"],
  writesElsewhere: true,
  input: z.object({
    tracker_id: z.int(),
    label: Label.optional(),
    comment: text(3000).optional(),
    // Clients send the member back. Removal is final and has its own operation, so only false is accepted.
    deleted: z.literal(false).optional(),
  }),
  output: z.object({}),
  errors: [13, 201, 252],
  async run({ tracker_id, label, comment }, { env, principal, actor }) {
    await env.FLEET.changeTracker(principal, tracker_id, { label, comment }, actor);
    return {};
  },
});

export const changeTariff = operation("/panel/tracker/tariff/change", {
  summary: "Gives a device another tariff of the dealer, at once; nothing is charged or refunded",
  accepts: ["operator"],
  permission: ["trackers", "update"],
  writesElsewhere: true,
  input: z.object({
    tracker_id: z.int(),
    tariff_id: z.int(),
    repay: z.boolean().optional(),
    charge: z.boolean().optional(),
  }),
  output: z.object({}),
  errors: [13, 201, 219, 221, 237, 239, 252],
  async run({ tracker_id, tariff_id }, { env, principal, actor }) {
    await env.FLEET.changeTariff(principal, tracker_id, tariff_id, actor);
    return {};
  },
});

export const cloneTracker = operation("/panel/tracker/clone", {
  summary: "Creates a clone of a tracker in another user's account",
  accepts: ["operator"],
  permission: ["trackers", "create"],
  writesElsewhere: true,
  input: z.object({ tracker_id: z.int(), user_id: z.int(), label: Label }),
  output: z.object({ id: z.int() }),
  errors: [13, 201, 219, 246, 247, 252],
  async run(clone, { db, env, principal, actor }) {
    if (!(await userExists(db, principal, clone.user_id))) throw new ApiError(246);
    return { id: await env.FLEET.cloneTracker(principal, clone, actor) };
  },
});

export const corruptTracker = operation("/panel/tracker/corrupt", {
  summary: "Removes a tracker for good; its device may be registered anew, in any account",
  accepts: ["operator"],
  permission: ["trackers", "corrupt"],
  writesElsewhere: true,
  input: z.object({ tracker_id: z.int(), corrupt_clones: z.boolean().default(true) }),
  output: z.object({}),
  errors: [13, 201, 219, 252, 253],
  async run({ tracker_id, corrupt_clones }, { env, principal, actor }) {
    const isNew = await env.FLEET.removeTracker(principal, tracker_id, corrupt_clones, actor);
    if (!isNew) throw new ApiError(252);
    return {};
  },
});

export const operations = [
  listTrackers,
  readTracker,
  updateSource,
  updateTracker,
  changeTariff,
  cloneTracker,
  corruptTracker,
];

async function withConnections(env: GatewayEnv, trackers: PanelTracker[]) {
  const feeds = new Set(trackers.flatMap(({ feed_tracker_id }) => feed_tracker_id ?? []));
  const connections: Record<number, number | null> = feeds.size > 0 ? await env.GEO.lastConnections([...feeds]) : {};
  return trackers.map(({ feed_tracker_id, ...tracker }) => ({
    ...tracker,
    last_connection: feed_tracker_id === null ? null : (connections[feed_tracker_id] ?? null),
  }));
}
