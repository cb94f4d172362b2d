import { z } from "zod";
import { ApiError, envelope, isApiError } from "#shared/error/api-error.ts";
import type { Call, FilePart } from "#shared/operation/declaration.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import { sentFile } from "#shared/operation/fields.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import type { GeoEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import { writeKml, writeKmz } from "../../track/kml.ts";
import { selectWhole } from "../list-queries.ts";
import { insertZones } from "../queries.ts";
import { toZone, Zone } from "../schema.ts";
import { shapeOf } from "../shape.ts";
import { zonesOfKml } from "./read-kml.ts";
import { textOfFile } from "./text-of-file.ts";
import { placemarksOf } from "./write-kml.ts";

const Input = z.object({
  file: sentFile().optional(),
  default_radius: z.int().min(20).max(300_000).default(150),
  dry_run: z.boolean().default(true),
  redirect_target: z.url({ protocol: /^https?$/ }).optional(),
});
const Output = z.object({ list: z.array(z.union([z.int(), Zone.omit({ id: true })])) });

export const uploadZones = operation("/zone/upload", {
  summary: "Makes zones of a KML or KMZ file: of points circles, of lines sausages, of polygons their outer boundaries",
  right: "zone_update",
  reply: ["json", "redirect"],
  input: Input,
  output: Output,
  errors: [202, 233, 234, 268, 284],
  async run({ redirect_target, ...sent }, call) {
    if (!redirect_target) return upload(sent, call);
    const answer = await upload(sent, call).then(
      (answer) => JSON.stringify({ success: true, ...answer }),
      (thrown) => failed(thrown),
    );
    const target = new URL(redirect_target);
    target.searchParams.set("response", answer);
    return new Response(null, { status: 302, headers: { Location: target.href } });
  },
});

export const downloadZones = operation("/zone/download", {
  summary: "The zones that the caller sees, or some of them, as KML",
  reads: true,
  reply: ["kml", "kmz"],
  input: z.object({
    format: z.enum(["kml", "kmz"]).default("kml"),
    zone_ids: z.array(z.int()).max(100_000).nullable().default(null),
  }),
  output: z.object({}),
  errors: [],
  async run({ format, zone_ids }, { db, principal }) {
    const content = { placemarks: placemarksOf(await selectWhole(db, principal, zone_ids)) };
    const document = format === "kml" ? writeKml("zones", content) : writeKmz("zones", content);
    return new Response(document, { headers: downloadHeaders(`zones.${format}`, MEDIA_TYPES[format]) });
  },
});

export const operations = [uploadZones, downloadZones];

type Upload = { file?: FilePart; default_radius: number; dry_run: boolean };

async function upload(
  { file, default_radius, dry_run }: Upload,
  { db, principal, actor }: Call<GeoEnv>,
): Promise<z.output<typeof Output>> {
  if (!file) throw new ApiError(233);
  const zones = zonesOfKml(textOfFile(file.bytes), default_radius);
  const figures = zones.map((input) => ({ input, shape: shapeOf(input, true) }));
  if (!dry_run) return { list: await insertZones(db, principal, figures, actor) };
  return {
    list: figures.map(({ input, shape }) => {
      const { id, ...ready } = toZone({ id: 0, ...input, ...shape });
      return ready;
    }),
  };
}

/** The reply that would have come without a redirect. */
function failed(thrown: unknown) {
  if (!isApiError(thrown)) throw thrown;
  return envelope(thrown.code, thrown.extra).body;
}
