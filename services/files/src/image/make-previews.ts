import { openDatabase } from "#shared/database/open.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";
import { renderPreviews, SIDES, type Side } from "./preview.ts";
import { claimDuePreview, giveUpPreviews, storePreviewState } from "./queries.ts";
import { CODECS } from "./wasm.ts";

/** The key of a preview: in the folder of the content, so that it is deleted with the file. */
export function previewKey(key: string, side: Side) {
  return `${key.slice(0, key.lastIndexOf("/"))}/preview-${side}.jpg`;
}

export function previewKeys(key: string): string[] {
  return SIDES.map((side) => previewKey(key, side));
}

/**
 * Makes due previews, one image at a time, because an isolate has memory for one only. Returns at once if it is running
 * already. An interrupted image is due again two minutes later.
 */
export async function makePreviews(env: FilesEnv, now: () => number = systemNow) {
  const startedAt = now();
  if (startedAt < busyUntil) return;
  try {
    const db = openDatabase(env);
    while (now() < startedAt + MAX_RUN_MS) {
      busyUntil = now() + MINUTE_MS;
      const time = nowMs(env);
      const due = await claimDuePreview(db, time, { retryAt: time + 2 * MINUTE_MS, tries: MAX_TRIES });
      if (!due) return;
      await makePreviewsOf(env, due);
    }
  } finally {
    busyUntil = 0;
  }
}

/** Makes previews that failed before. Gives images up after `MAX_TRIES`, because they may be what kills the Worker. */
export async function sweepPreviews(env: FilesEnv) {
  await giveUpPreviews(openDatabase(env), nowMs(env), MAX_TRIES);
  await makePreviews(env);
}

async function makePreviewsOf(
  env: FilesEnv,
  { id, key, mime_type }: { id: number; key: string | null; mime_type: string | null },
) {
  const object = key && (await env.BUCKET.get(key));
  if (!key || !object) return void (await storePreviewState(openDatabase(env), id, { state: "unreadable" }));
  const rendered = await renderPreviews(await object.bytes(), mime_type ?? "", CODECS);
  await Promise.all(rendered.previews.map(({ side, content }) => env.BUCKET.put(previewKey(key, side), content)));
  const isStored = await storePreviewState(openDatabase(env), id, rendered);
  // The file was removed meanwhile, perhaps after its folder was emptied.
  if (!isStored) await env.BUCKET.delete(previewKeys(key));
}

/** Until when this isolate is busy, in ms. A time instead of a flag, so that an interrupted run does not block for ever. */
let busyUntil = 0;
/** The next sweep makes the remaining ones. */
const MAX_RUN_MS = 20 * SECOND_MS;
const MAX_TRIES = 3;
