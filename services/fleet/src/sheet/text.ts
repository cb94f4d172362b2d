import type { Principal } from "#shared/caller/principal.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { FleetEnv } from "../env.ts";

/** The text to convert: of the sheet, where one is named. */
export async function textOf(
  { batch, file_id }: { batch?: string; file_id?: string },
  env: Pick<FleetEnv, "FILES">,
  { account_id }: Principal,
): Promise<string> {
  const text = file_id === undefined ? batch : await env.FILES.readSheet({ account_id, file_id });
  if (text === undefined) throw invalid("batch", "is required, or a file_id");
  if (text === null) throw new ApiError(234);
  return text;
}
