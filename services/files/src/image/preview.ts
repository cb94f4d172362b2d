import type { PreviewState } from "#shared/contract/file-object.ts";
import { type Codecs, decode, encodeJpeg } from "./codec.ts";
import { inspect } from "./inspect.ts";
import { fitting, shrink, upright } from "./pixels.ts";

/** Into a square of so many pixels, the larger one first. */
export const SIDES = [800, 200] as const;
export type Side = (typeof SIDES)[number];

type Preview = { side: Side; content: Uint8Array };
type Previewed = { state: PreviewState; orientation?: number; previews: Preview[] };

/** JPEGs without anything of the original but what is seen: no place, no device, no colour profile. */
export async function previewsOf(
  content: Uint8Array,
  mime_type: string,
  codecs: Codecs,
  sides: readonly Side[] = SIDES,
): Promise<Previewed> {
  const { orientation, ...head } = inspect(content, mime_type);
  if (head.type === undefined) return { state: head.state, orientation, previews: [] };
  try {
    const decoded = await decode(head.type, content, codecs, fitting(head, SIDES[0]));
    let shown = upright(shrink(decoded, fitting(decoded, SIDES[0])), orientation ?? 1);
    const previews = sides.map((side) => {
      shown = shrink(shown, fitting(shown, side));
      return { side, content: encodeJpeg(codecs, shown, QUALITY) };
    });
    return { state: "made", orientation, previews };
  } catch {
    // Broken behind its head: another try would end the same way.
    return { state: "unreadable", orientation, previews: [] };
  }
}

const QUALITY = 80;
