import * as z from "zod";
import { operation } from "../../operation.ts";
import { deliverChangedTargets } from "../deliver-targets.ts";
import { removeBinding, selectBindings, upsertBinding } from "./queries.ts";
import { Binding, FakeDeviceId } from "./schema.ts";

export const bindRetranslator = operation("/tracker/retranslator/bind", {
  summary: "Forwards a tracker's points to a retranslator from now on, or changes the device id that is sent",
  masterOnly: true,
  right: "admin",
  feature: "retranslation",
  input: z.object({
    tracker_id: z.int(),
    retranslator_id: z.int(),
    fake_device_id: FakeDeviceId.nullable().default(null),
  }),
  output: z.object({}),
  errors: [201, 208, 219, 236, 242],
  async run(input, { db, env, principal, actor }) {
    const targets = await upsertBinding(db, principal, input, actor);
    await deliverChangedTargets(env, targets);
    return {};
  },
});

export const unbindRetranslator = operation("/tracker/retranslator/unbind", {
  summary: "Stops forwarding a tracker's points to a retranslator",
  masterOnly: true,
  right: "admin",
  input: z.object({ tracker_id: z.int(), retranslator_id: z.int() }),
  output: z.object({}),
  errors: [201, 208, 219],
  async run(input, { db, env, principal, actor }) {
    const targets = await removeBinding(db, principal, input, actor);
    await deliverChangedTargets(env, targets);
    return {};
  },
});

export const listTrackerRetranslators = operation("/tracker/retranslator/list", {
  summary: "The retranslators that a tracker is bound to",
  masterOnly: true,
  right: "admin",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ list: z.array(Binding) }),
  errors: [201, 208],
  async run({ tracker_id }, { db, principal }) {
    return { list: await selectBindings(db, principal, tracker_id) };
  },
});

export const operations = [bindRetranslator, unbindRetranslator, listTrackerRetranslators];
