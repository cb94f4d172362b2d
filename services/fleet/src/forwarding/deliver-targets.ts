import type { TargetsMessage } from "#shared/contract/retranslation.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import {
  MAX_TRACKERS_PER_BATCH,
  markTargetsDelivered,
  selectUndeliveredTargets,
  type TargetRow,
} from "./target-queries.ts";

/**
 * Tells the feeds, before the answer what came with the change, the rest behind it. What they miss now they hear from the
 * next sweep: an error would ask for a second try of what is done already.
 */
export async function deliverChangedTargets(env: FleetEnv, rows: TargetRow[]) {
  const messages = toMessages(rows);
  await env.GEO.putTargets(messages).catch(() => undefined);
  if (messages.length < MAX_TRACKERS_PER_BATCH) return;
  // Imported when it is needed: only Workers have the module, and the declarations of operations are read elsewhere too.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(deliverTargets(env).catch(() => undefined));
}

/** Tells all feeds what they may have missed, wave after wave, accounts in turn. */
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
