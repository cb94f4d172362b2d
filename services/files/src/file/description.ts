import { DENIED } from "../image/description.ts";
import { FILE_FIELD } from "./form.ts";

export const FILES = {
  name: "Files",
  description: "Uploading the file of a ticket, downloading it, and the quota of files.",
};

const FAILED = { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } };
const described = { tags: [FILES.name], security: [] };
const inPath = (name: string, type: string) => ({ name, in: "path", required: true, schema: { type } });
const failed = (description: string) => ({ description, content: FAILED });

const REFUSED = {
  400: failed("5: Malformed request; 234: Not an image; 269: The ticket is used"),
  403: failed("11: The token is not the ticket's"),
  404: failed("204: The ticket has expired, or its file is removed"),
  412: failed("5: The version of tus is not 1.0.0"),
};
const inQuery = { name: "token", in: "query", description: "Or `Authorization: Bearer`.", schema: { type: "string" } };
const resumable = { ...described, parameters: [inPath("file_id", "integer"), inQuery] };

const CONTENT = {
  200: { description: "Success", content: { "*/*": { schema: { type: "string", format: "binary" } } } },
  206: { description: "The requested range; several ranges as multipart/byteranges" },
  304: { description: "The caller's copy is current" },
  404: failed("204: There is no such file, or the address is wrong or has expired"),
  416: { description: "The file has no such range" },
};
/** OpenAPI path items of uploads and downloads, which are no operations because their bodies are streams. */
export const STREAMED_PATHS = {
  "/file/upload/{file_id}": {
    post: {
      ...described,
      summary:
        "Uploads the file of a ticket, once: this address is the ticket's `url`, its `fields` come before the file",
      operationId: "file_upload",
      parameters: [inPath("file_id", "integer")],
      requestBody: {
        required: true,
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              required: ["token", FILE_FIELD],
              properties: { token: { type: "string" }, [FILE_FIELD]: { type: "string", format: "binary" } },
            },
          },
        },
      },
      responses: {
        200: {
          description: "Success",
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["success", "value"],
                properties: {
                  success: { type: "boolean", const: true },
                  value: {
                    type: "object",
                    required: ["id", "name", "size", "mime_type", "download_url"],
                    properties: {
                      id: { type: "integer" },
                      name: { type: "string" },
                      size: { type: "integer" },
                      mime_type: { type: "string" },
                      download_url: { type: "string" },
                    },
                  },
                },
              },
            },
          },
        },
        400: failed(
          "5: Malformed request; 233: No data file; 234: Not an image; 269: The ticket is used for another content",
        ),
        403: failed("11: The token is not the ticket's"),
        404: failed("204: The ticket has expired, or its file is removed"),
        413: failed("271: The file is larger than was reserved"),
        429: failed("15: A newer attempt with the ticket has ended this one"),
        500: failed("254: Cannot save file"),
      },
    },
    head: {
      ...resumable,
      summary: "The offset of a resumable upload (tus 1.0)",
      operationId: "file_upload_offset",
      responses: { 200: { description: "`Upload-Offset` of `Upload-Length` bytes" }, ...REFUSED },
    },
    patch: {
      ...resumable,
      summary: "Continues a resumable upload from its offset; the last byte completes the file",
      operationId: "file_upload_resume",
      requestBody: {
        required: true,
        content: { "application/offset+octet-stream": { schema: { type: "string", format: "binary" } } },
      },
      responses: {
        204: { description: "`Upload-Offset` bytes are stored" },
        ...REFUSED,
        409: failed("269: The upload has another offset"),
        413: failed("271: The file is larger than was reserved"),
        415: failed("5: The type is not `application/offset+octet-stream`"),
        423: failed("15: A newer attempt with the ticket has ended this one; what arrived is stored"),
        460: failed("5: The checksum does not match"),
      },
    },
    delete: {
      ...resumable,
      summary: "Returns an unused ticket",
      operationId: "file_upload_end",
      responses: { 204: { description: "Success" }, ...REFUSED },
    },
  },
  "/file/download/{file_id}/{token}/{name}": {
    get: {
      ...described,
      summary: "The content of a file, at its `download_url`; needs no hash",
      operationId: "file_download",
      parameters: [inPath("file_id", "integer"), inPath("token", "string"), inPath("name", "string")],
      responses: CONTENT,
    },
  },
  "/file/download/{file_id}": {
    get: {
      tags: [FILES.name],
      summary: "The content of a file by its id: a sub-user needs to have uploaded it or to see a thing that names it",
      operationId: "file_download_own",
      parameters: [inPath("file_id", "integer")],
      responses: { ...CONTENT, ...DENIED },
    },
  },
};
