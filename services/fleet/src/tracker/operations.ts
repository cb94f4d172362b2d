import { z } from "zod";
import { ApiError, invalid } from "#shared/api-error.ts";
import type { Clock } from "#shared/clock.ts";
import { writeLocal } from "#shared/clock.ts";
import { Label, Tracker } from "#shared/contract/tracker.ts";
import { listAnswer, type Page } from "#shared/list-answer.ts";
import { asStored } from "../activation-code/queries.ts";
import type { FleetEnv } from "../env.ts";
import { assignsId, findModel, newDeviceId, offenceOfId, REGISTER_PLUGINS } from "../model/list.ts";
import { operation } from "../operation.ts";
import { insertTracker } from "./insert.ts";
import {
  labelled,
  requireTracker,
  selectTrackers,
  type TrackerWithSource,
  toDevice,
  updateSettings,
} from "./queries.ts";
import { NewTracker, QuickTracker } from "./schema.ts";

export const registerTracker = operation("/tracker/register", {
  summary: "Registers a device and the tracker that shows it",
  right: "tracker_register",
  input: NewTracker,
  output: z.object({ value: Tracker }),
  errors: [7, 13, 204, 220, 221, 222, 223, 224, 225, 226, 227, 258],
  async run(input, { db, env, principal, clock, actor }) {
    const plugin = REGISTER_PLUGINS[input.plugin_id];
    if (!plugin) throw new ApiError(222);
    const model = findModel(input.model);
    if (!model || !plugin.models.includes(model.code)) throw new ApiError(220);
    const code = asStored(input.activation_code ?? "");
    if (plugin.needsCode && code === "") throw new ApiError(227);
    const offence = assignsId(model) ? undefined : offenceOfId(model, input.device_id);
    if (offence) throw invalid("device_id", offence);
    const device_id = assignsId(model) ? newDeviceId(model) : (input.device_id ?? "");
    const registered = await insertTracker(db, principal, { ...input, device_id, code }, actor);
    await tellOf(registered, env);
    return { value: toTracker(registered, clock) };
  },
});

export const registerQuick = operation("/tracker/register_quick", {
  summary: "Registers a device that its dealer sold, by its IMEI alone",
  right: "tracker_register",
  input: QuickTracker,
  output: z.object({ value: Tracker }),
  errors: [13, 201, 204, 221, 224],
  async run({ label, group_id, imei }, { db, env, principal, clock, actor }) {
    const device = { label, group_id, model: null, device_id: imei, phone: null, code: "" };
    const registered = await insertTracker(db, principal, device, actor);
    await tellOf(registered, env);
    return { value: toTracker(registered, clock) };
  },
});

export const readTracker = operation("/tracker/read", {
  summary: "A tracker, blocked or not",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ value: Tracker }),
  errors: [201],
  async run({ tracker_id }, { db, principal, clock }) {
    return { value: toTracker(await requireTracker(db, principal, tracker_id), clock) };
  },
});

export const listTrackers = operation("/tracker/list", {
  summary: "The trackers that the caller sees, or those whose label contains any of the texts",
  reads: true,
  input: z.object({
    labels: z
      .array(z.string().min(1).max(60))
      .min(1)
      .max(1024)
      .refine((labels) => new Set(labels).size === labels.length, { error: "must not contain duplicates" })
      .optional(),
  }),
  output: z.object({ list: z.array(Tracker) }),
  errors: [],
  async run({ labels }, { db, principal, clock }) {
    return listAnswer({}, shown(await selectTrackers(db, principal, labels && labelled(labels)), clock));
  },
});

export const readSettings = operation("/tracker/settings/read", {
  summary: "A tracker's label and group",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ settings: z.object({ label: z.string(), group_id: z.int() }) }),
  errors: [201, 208],
  async run({ tracker_id }, { db, principal }) {
    const { tracker, source } = await requireTracker(db, principal, tracker_id);
    if (source.blocked) throw new ApiError(208);
    return { settings: { label: tracker.label, group_id: tracker.group_id } };
  },
});

export const changeSettings = operation("/tracker/settings/update", {
  summary: "Changes a tracker's label and group",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), label: Label, group_id: z.int() }),
  output: z.object({}),
  errors: [201, 204, 208],
  async run({ tracker_id, label, group_id }, { db, principal, actor }) {
    await updateSettings(db, principal, tracker_id, { label, group_id }, actor);
    return {};
  },
});

/** As users see them. */
export function shown({ items, next }: Page<TrackerWithSource>, clock: Clock): Page<z.output<typeof Tracker>> {
  return {
    items: items.map((row) => toTracker(row, clock)),
    next: next && (async () => shown(await next(), clock)),
  };
}

/** It is registered, whether geo hears of it now or from the outbox: an error would ask for a second try, in vain. */
async function tellOf(registered: TrackerWithSource, env: FleetEnv) {
  await env.GEO.putDevices([toDevice(registered)]).catch(() => undefined);
}

function toTracker({ tracker, source, tag_bindings }: TrackerWithSource, clock: Clock): z.output<typeof Tracker> {
  const { account_id, dealer_id, revision, creation_date, tariff_changed, ...shownSource } = source;
  return {
    id: tracker.id,
    label: tracker.label,
    clone: tracker.clone,
    group_id: tracker.group_id,
    avatar_file_name: tracker.avatar_file_name ?? undefined,
    source: { ...shownSource, creation_date: writeLocal(creation_date, clock.zone).slice(0, 10) },
    tag_bindings,
  };
}
