import * as z from "zod";
import { Tracker } from "#shared/contract/tracker/tracker.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { FleetEnv } from "../env.ts";
import { operation } from "../operation.ts";
import { assignsId, findIdError, findModel, generateDeviceId, REGISTER_PLUGINS } from "../tracker/model/models.ts";
import { requireTrackerOfSource, type TrackerWithSource, toDevice } from "../tracker/queries.ts";
import { toTracker } from "../tracker/to-tracker.ts";
import { normalizeCode } from "./activation-code/queries.ts";
import { insertTracker } from "./queries.ts";
import { NewTracker, QuickTracker } from "./schema.ts";

export const registerTracker = operation("/tracker/register", {
  summary: "Registers a device and the tracker that shows it",
  right: "tracker_register",
  input: NewTracker,
  output: z.object({ value: Tracker }),
  errors: [7, 13, 204, 220, 221, 222, 223, 224, 225, 226, 227, 258],
  answerAgain: { create: (sourceId, _input, call) => answerOfSource(sourceId, call) },
  async run(input, { db, env, principal, clock, actor }) {
    const plugin = REGISTER_PLUGINS[input.plugin_id];
    if (!plugin) throw new ApiError(222);
    const model = findModel(input.model);
    if (!model || !plugin.models.includes(model.code)) throw new ApiError(220);
    const code = normalizeCode(input.activation_code ?? "");
    if (plugin.needsCode && code === "") throw new ApiError(227);
    const offence = assignsId(model) ? undefined : findIdError(model, input.device_id);
    if (offence) throw invalid("device_id", offence);
    const device_id = assignsId(model) ? generateDeviceId(model) : (input.device_id ?? "");
    const registered = await insertTracker(db, principal, { ...input, device_id, code }, actor);
    await deliverDevice(registered, env);
    return { value: toTracker(registered, clock) };
  },
});

export const registerQuick = operation("/tracker/register_quick", {
  summary: "Registers a device that its dealer sold, by its IMEI alone",
  right: "tracker_register",
  input: QuickTracker,
  output: z.object({ value: Tracker }),
  errors: [13, 201, 204, 221, 224],
  answerAgain: { create: (sourceId, _input, call) => answerOfSource(sourceId, call) },
  async run({ label, group_id, imei }, { db, env, principal, clock, actor }) {
    const device = { label, group_id, model: null, device_id: imei, phone: null, code: "" };
    const registered = await insertTracker(db, principal, device, actor);
    await deliverDevice(registered, env);
    return { value: toTracker(registered, clock) };
  },
});

export const operations = [registerTracker, registerQuick];

/** The answer to the registration that inserted this source, in front of its tracker. */
async function answerOfSource(
  source_id: number,
  { db, principal, clock }: Pick<Call<FleetEnv>, "db" | "principal" | "clock">,
) {
  return { value: toTracker(await requireTrackerOfSource(db, principal, source_id), clock) };
}

/**
 * Delivers the new device to geo before the answer. A failure is ignored: the tracker is registered, an error would
 * make the caller repeat that in vain, and the outbox still holds the device.
 */
async function deliverDevice(registered: TrackerWithSource, env: FleetEnv) {
  await env.GEO.putDevices([toDevice(registered)]).catch(() => undefined);
}
