import type { Preview, PreviewSearch } from "#shared/contract/files.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import { previewKey } from "../image/make-previews.ts";
import { selectLive } from "./queries.ts";

/** Previews in the order of the ids; images without finished previews are left out. */
export async function readPreviews(env: FilesEnv, { account_id, ids, side }: PreviewSearch): Promise<Preview[]> {
  const rows = await selectLive(openDatabase(env), account_id, ids, nowMs(env));
  const found = await Promise.all(
    rows.map(async ({ id, key, preview_state }) => {
      if (key === null || preview_state !== "made") return undefined;
      const object = await env.BUCKET.get(previewKey(key, side));
      return object ? { id, jpeg: await object.bytes() } : undefined;
    }),
  );
  const previews = new Map(found.flatMap((one) => (one ? [[one.id, one]] : [])));
  return ids.flatMap((id) => previews.get(id) ?? []);
}
