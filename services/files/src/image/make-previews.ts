import { openDatabase } from "#shared/database/open.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time/duration.ts";
import type { FilesEnv } from "../env.ts";
import { renderPreviews, SIDES, type Side } from "./preview.ts";
import { claimDuePreview, giveUpPreviews, storePreviewState } from "./queries.ts";
import { CODECS } from "./wasm.ts";

/** Beside the content, so that it goes with the file. */
export function previewKey(key: string, side: Side) {
  return `${key.slice(0, key.lastIndexOf("/"))}/preview-${side}.jpg`;
}

export function previewKeys(key: string): string[] {
  return SIDES.map((side) => previewKey(key, side));
}

/**
 * Makes the previews that are due, one picture after the other: an isolate has room for no more. So whoever finds it at work
 * leaves; what is cut off is due again two minutes later.
 */
export async function makePreviews(env: FilesEnv, now: () => number = systemNow) {
  const begun = now();
  if (begun < busyUntil) return;
  try {
    const db = openDatabase(env);
    while (now() < begun + MAX_RUN_MS) {
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

/** The same for what was left; one at which whoever tries dies is not tried for ever. */
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
  const made = await renderPreviews(await object.bytes(), mime_type ?? "", CODECS);
  await Promise.all(made.previews.map(({ side, content }) => env.BUCKET.put(previewKey(key, side), content)));
  const isThere = await storePreviewState(openDatabase(env), id, made);
  // Its folder may have been emptied before they came.
  if (!isThere) await env.BUCKET.delete(previewKeys(key));
}

/** Milliseconds; a moment, so that one that was cut off stops nobody for good. */
let busyUntil = 0;
/** In one go; the rest is for the next sweep. */
const MAX_RUN_MS = 20 * SECOND_MS;
const MAX_TRIES = 3;
