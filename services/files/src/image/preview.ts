import type { PreviewState } from "#shared/contract/file/file-object.ts";
import { type Codecs, decode, encodeJpeg } from "./codec.ts";
import { inspectImage } from "./inspect.ts";
import { fitInto, shrink, turnUpright } from "./pixels.ts";

/** The sides of the squares that previews fit into, in pixels, the larger one first. */
export const SIDES = [800, 200] as const;
export type Side = (typeof SIDES)[number];

type Preview = { side: Side; content: Uint8Array };
type RenderedPreviews = { state: PreviewState; orientation?: number; previews: Preview[] };

/** Renders previews as JPEGs without any metadata of the original. */
export async function renderPreviews(
  content: Uint8Array,
  mime_type: string,
  codecs: Codecs,
  sides: readonly Side[] = SIDES,
): Promise<RenderedPreviews> {
  const { orientation, ...head } = inspectImage(content, mime_type);
  if (head.type === undefined) return { state: head.state, orientation, previews: [] };
  try {
    const decoded = await decode(head.type, content, codecs, fitInto(head, SIDES[0]));
    let current = turnUpright(shrink(decoded, fitInto(decoded, SIDES[0])), orientation ?? 1);
    const previews = sides.map((side) => {
      current = shrink(current, fitInto(current, side));
      return { side, content: encodeJpeg(codecs, current, JPEG_QUALITY) };
    });
    return { state: "made", orientation, previews };
  } catch {
    // The data behind the header is broken: retries would fail, too.
    return { state: "unreadable", orientation, previews: [] };
  }
}

const JPEG_QUALITY = 80;
