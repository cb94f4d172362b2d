import type { StreamedRequest } from "#shared/contract/streamed-request.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Answer } from "#shared/operation/declaration.ts";
import type { GatewayEnv } from "../env.ts";
import { admit } from "./admit.ts";

/** Whether the path is one of those whose bodies pass through as they come. */
export function isStreamed(path: string) {
  return path.startsWith("/file/upload/") || path.startsWith("/file/download/");
}

/** Callers show a token instead of a hash, so they count as those without one. */
export async function streamed(
  request: Request,
  path: string,
  call: { base_url: string; request_id: string },
  env: GatewayEnv,
): Promise<Answer> {
  const { headers, method, body } = request;
  await admit(undefined, headers.get("CF-Connecting-IP") ?? "", env);
  const read: StreamedRequest = {
    path,
    method,
    ...call,
    body,
    content_type: headers.get("Content-Type") ?? "",
    range: headers.get("Range"),
    if_none_match: headers.get("If-None-Match"),
  };
  return env.FILES.stream(read).catch((thrown) => {
    throw new ApiError(14, {}, { cause: thrown });
  });
}
