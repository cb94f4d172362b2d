import type { TargetsMessage } from "#shared/contract/tracker/retranslation.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import {
  MAX_TRACKERS_PER_BATCH,
  markTargetsDelivered,
  selectUndeliveredTargets,
  type TargetRow,
} from "./target-queries.ts";

/**
 * Delivers the new targets of these trackers to their feeds: one batch before the answer, the rest behind it. A failure
 * is ignored, because the change is stored and the next sweep delivers it.
 */
export async function deliverChangedTargets(env: FleetEnv, rows: TargetRow[]) {
  const messages = toMessages(rows);
  await env.GEO.putTargets(messages).catch(() => undefined);
  if (messages.length < MAX_TRACKERS_PER_BATCH) return;
  // Imported here because only Workers have this module, and scripts read the declarations of operations in Node.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(deliverTargets(env).catch(() => undefined));
}

/** Delivers all undelivered targets to the feeds, batch after batch; accounts alternate. */
export async function deliverTargets(env: FleetEnv) {
  const db = openDatabase(env);
  let messages: TargetsMessage[];
  do {
    messages = toMessages(await selectUndeliveredTargets(db));
    if (messages.length === 0) return;
    await env.GEO.putTargets(messages);
    await markTargetsDelivered(db, messages);
  } while (messages.length === MAX_TRACKERS_PER_BATCH);
}

function toMessages(rows: TargetRow[]): TargetsMessage[] {
  const messages = new Map<number, TargetsMessage>();
  for (const { tracker_id, account_id, revision, device_id, fake_device_id, target } of rows) {
    const message = messages.get(tracker_id) ?? { tracker_id, account_id, revision, targets: [] };
    messages.set(tracker_id, message);
    if (!target) continue;
    const { id: retranslator_id, protocol_id, address, port, login, password } = target;
    message.targets.push({
      retranslator_id,
      revision: target.revision,
      protocol_id,
      address,
      port,
      login,
      password,
      device_id: fake_device_id ?? device_id,
    });
  }
  return [...messages.values()];
}
