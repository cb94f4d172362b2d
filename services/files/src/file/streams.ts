import { ApiError } from "#shared/api-error.ts";
import type { Answer } from "#shared/operation.ts";
import { failureOf } from "#shared/serve.ts";
import type { FilesEnv } from "../env.ts";
import { type DownloadRequest, download, downloadUrl } from "./download.ts";
import type { UploadRequest } from "./form.ts";
import { receive } from "./receive.ts";

/** A call that is no operation: its body, or its answer's, is a stream. */
export type Streamed = DownloadRequest & UploadRequest & { path: string; base_url: string; request_id: string };

/** Uploads and downloads. Neither has a hash: the caller shows a token of the one file. */
export async function stream({ path, ...asked }: Streamed, env: FilesEnv): Promise<Answer> {
  try {
    const [what, id = "", token = ""] = path.split("/").slice(2);
    const file_id = /^\d{1,15}$/.test(id) ? Number(id) : 0;
    if (what === "download") {
      if (asked.method !== "GET" && asked.method !== "HEAD") throw new ApiError(112);
      return await download(file_id, token, asked, env);
    }
    if (asked.method !== "POST") throw new ApiError(112);
    const file = await receive(file_id, asked, env);
    const download_url = downloadUrl(asked.base_url, file, env);
    return { status: 200, body: JSON.stringify({ success: true, value: { ...file, download_url } }) };
  } catch (thrown) {
    return failureOf(thrown, { path: path.split("/").slice(0, 4).join("/"), request_id: asked.request_id });
  }
}
