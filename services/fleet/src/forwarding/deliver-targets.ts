import type { TargetsMessage } from "#shared/contract/retranslation.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import { markDelivered, selectAllTargets, type TargetRow, WAVE } from "./target-queries.ts";

/**
 * Tells the feeds, before the answer what came with the change, the rest behind it. What they miss now they hear from the
 * next sweep: an error would ask for a second try of what is done already.
 */
export async function tellTargets(env: FleetEnv, rows: TargetRow[]) {
  const words = wordsOf(rows);
  await env.GEO.putTargets(words).catch(() => undefined);
  if (words.length < WAVE) return;
  // Imported when it is needed: only Workers have the module, and the declarations of operations are read elsewhere too.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(deliverTargets(env).catch(() => undefined));
}

/** Tells all feeds what they may have missed, wave after wave, accounts in turn. */
export async function deliverTargets(env: FleetEnv) {
  const db = openDatabase(env);
  let words: TargetsMessage[];
  do {
    words = wordsOf(await selectAllTargets(db));
    if (words.length === 0) return;
    await env.GEO.putTargets(words);
    await markDelivered(db, words);
  } while (words.length === WAVE);
}

function wordsOf(rows: TargetRow[]): TargetsMessage[] {
  const words = new Map<number, TargetsMessage>();
  for (const { tracker_id, account_id, revision, device_id, fake_device_id, target } of rows) {
    const word = words.get(tracker_id) ?? { tracker_id, account_id, revision, targets: [] };
    words.set(tracker_id, word);
    if (!target) continue;
    const { id: retranslator_id, protocol_id, address, port, login, password } = target;
    word.targets.push({
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
  return [...words.values()];
}
