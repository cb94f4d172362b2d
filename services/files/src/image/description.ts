import { AVATAR_OWNERS } from "#shared/image/avatar.ts";
import { SIDES } from "./preview.ts";

const failed = { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } };
const inPath = (name: string, schema: object) => ({ name, in: "path", required: true, schema });

/** Answers to a wrong or ended hash. */
export const DENIED = {
  400: { description: "3: Wrong hash; 4: The hash has ended, or is of another kind", content: failed },
  429: { description: "15: Too many requests", content: failed },
};

/** OpenAPI path items of previews and avatars, which are no operations because their bodies are streams. */
export const IMAGE_PATHS = {
  "/file/download/preview/{side}/{file_id}/{token}/preview.jpg": {
    get: {
      tags: ["Files"],
      security: [],
      summary: "The preview of an image, at the address that the file is shown with",
      operationId: "file_preview",
      parameters: [
        inPath("side", { type: "integer", enum: SIDES }),
        inPath("file_id", { type: "integer" }),
        inPath("token", { type: "string" }),
      ],
      responses: {
        200: { description: "Success", content: { "image/jpeg": { schema: { type: "string", format: "binary" } } } },
        304: { description: "What the caller has is still right" },
        404: { description: "204: There is no such preview, or not at this address", content: failed },
      },
    },
  },
  "/file/download/preview/{side}/{file_id}": {
    get: {
      tags: ["Files"],
      summary: "The preview of an image, for who shows a hash and may download the image",
      operationId: "file_preview_own",
      parameters: [inPath("side", { type: "integer", enum: SIDES }), inPath("file_id", { type: "integer" })],
      responses: {
        200: { description: "Success", content: { "image/jpeg": { schema: { type: "string", format: "binary" } } } },
        304: { description: "What the caller has is still right" },
        404: { description: "204: There is no such preview", content: failed },
        ...DENIED,
      },
    },
  },
  "/static/{owner}/avatars/{name}": {
    get: {
      tags: ["Files"],
      security: [],
      summary: "The picture of a thing, by its `avatar_file_name`; another picture has another name",
      operationId: "avatar_show",
      parameters: [inPath("owner", { type: "string", enum: AVATAR_OWNERS }), inPath("name", { type: "string" })],
      responses: {
        200: { description: "Success", content: { "image/*": { schema: { type: "string", format: "binary" } } } },
        304: { description: "What the caller has is still right" },
        404: { description: "204: There is no such picture", content: failed },
      },
    },
  },
};
