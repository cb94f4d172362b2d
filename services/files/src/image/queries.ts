import { and, eq, gte, isNull, lte, sql } from "drizzle-orm";
import type { PreviewState } from "#shared/contract/file/file-object.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { isImage } from "#shared/image/type.ts";
import { file } from "../table/file.ts";

/** Columns for the update that finishes an upload: previews of images are due at once. */
export function toPreviewColumns(mime_type: string | null, now: number) {
  return mime_type !== null && isImage(mime_type) ? { preview_state: "waiting" as const, previews_due: now } : {};
}

/** The column for an update that stores the orientation of an image; empty without one. */
export function toMetadataColumn(orientation: number | undefined) {
  return orientation ? { metadata: sql`json_set(${file.metadata}, '$.orientation', ${orientation})` } : {};
}

/** Claims the next image, alternating between accounts. It is due again at `retryAt`, in case the Worker dies. */
export async function claimDuePreview(
  db: Database,
  now: number,
  { retryAt, tries }: { retryAt: number; tries: number },
) {
  const due = {
    isWaiting: sql`previews_due IS NOT NULL`,
    isDue: sql`previews_due <= ${now} AND preview_tries < ${tries}`,
    order: sql`previews_due`,
  };
  const [claimed] = await db
    .update(file)
    .set({ previews_due: retryAt, preview_tries: sql`${file.preview_tries} + 1` })
    .where(and(sql`${file.id} IN (${selectDueByAccount({ table: file, ...due }, 1)})`, lte(file.previews_due, now)))
    .returning({ id: file.id, key: file.key, mime_type: file.mime_type });
  return claimed;
}

/** Stores the state of a file's previews; false if the file was removed meanwhile. */
export async function storePreviewState(
  db: Database,
  id: number,
  { state, orientation }: { state: PreviewState; orientation?: number },
): Promise<boolean> {
  const updated = await db
    .update(file)
    .set({ preview_state: state, previews_due: null, ...toMetadataColumn(orientation) })
    .where(and(eq(file.id, id), isNull(file.expires)))
    .returning({ id: file.id });
  return updated.length > 0;
}

/** Marks images as unreadable after `tries` unfinished tries. */
export async function giveUpPreviews(db: Database, now: number, tries: number) {
  await db
    .update(file)
    .set({ preview_state: "unreadable", previews_due: null })
    .where(and(lte(file.previews_due, now), gte(file.preview_tries, tries)));
}
