import type { PreviewState } from "#shared/contract/file-object.ts";
import { type Codecs, decode, encodeJpeg } from "./codec.ts";
import { inspectImage } from "./inspect.ts";
import { fitInto, shrink, turnUpright } from "./pixels.ts";

/** Into a square of so many pixels, the larger one first. */
export const SIDES = [800, 200] as const;
export type Side = (typeof SIDES)[number];

type Preview = { side: Side; content: Uint8Array };
type RenderedPreviews = { state: PreviewState; orientation?: number; previews: Preview[] };

/** JPEGs without anything of the original but what is seen: no place, no device, no colour profile. */
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
    let shown = turnUpright(shrink(decoded, fitInto(decoded, SIDES[0])), orientation ?? 1);
    const previews = sides.map((side) => {
      shown = shrink(shown, fitInto(shown, side));
      return { side, content: encodeJpeg(codecs, shown, JPEG_QUALITY) };
    });
    return { state: "made", orientation, previews };
  } catch {
    // Broken behind its head: another try would end the same way.
    return { state: "unreadable", orientation, previews: [] };
  }
}

const JPEG_QUALITY = 80;
