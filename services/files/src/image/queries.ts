import { and, eq, gte, isNull, lte, sql } from "drizzle-orm";
import type { PreviewState } from "#shared/contract/file-object.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { isImage } from "#shared/image/type.ts";
import { file } from "../table/file.ts";

/** For the update that ends an upload: of a picture previews are to be made. */
export function toPreviewColumns(mime_type: string | null, now: number) {
  return mime_type !== null && isImage(mime_type) ? { preview_state: "waiting" as const, previews_due: now } : {};
}

/** The next picture, accounts in turn. It is due again later, in case that whoever makes its previews dies, a few times. */
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
  const [taken] = await db
    .update(file)
    .set({ previews_due: retryAt, preview_tries: sql`${file.preview_tries} + 1` })
    .where(and(sql`${file.id} IN (${selectDueByAccount({ table: file, ...due }, 1)})`, lte(file.previews_due, now)))
    .returning({ id: file.id, key: file.key, mime_type: file.mime_type });
  return taken;
}

/** Whether the file is still there to have them. */
export async function storePreviewState(
  db: Database,
  id: number,
  { state, orientation }: { state: PreviewState; orientation?: number },
): Promise<boolean> {
  const metadata = orientation && sql`json_set(${file.metadata}, '$.orientation', ${orientation})`;
  const settled = await db
    .update(file)
    .set({ preview_state: state, previews_due: null, ...(metadata && { metadata }) })
    .where(and(eq(file.id, id), isNull(file.expires)))
    .returning({ id: file.id });
  return settled.length > 0;
}

/** What nobody has ended in so many tries. */
export async function giveUpPreviews(db: Database, now: number, tries: number) {
  await db
    .update(file)
    .set({ preview_state: "unreadable", previews_due: null })
    .where(and(lte(file.previews_due, now), gte(file.preview_tries, tries)));
}
