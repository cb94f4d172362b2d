import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { TasksEnv } from "../env.ts";
import { type Digests, fileIdsOf, hashContent, sha256, toLinkText } from "./content.ts";
import { verify } from "./key.ts";
import { selectByToken } from "./queries.ts";
import type { Verdict } from "./schema.ts";

/** Checks the record against the item as it is now. Throws 201 when no record has the token. */
export async function verifyRecord(token: string, { db, env }: Pick<Call<TasksEnv>, "db" | "env">): Promise<Verdict> {
  const { record, before, items } = await selectByToken(db, token);
  if (!record) throw new ApiError(201);
  const files = fileIdsOf(items);
  const digests: Digests = files.length > 0 ? await env.FILES.digestsOf(files) : {};
  const proof = await verify(record.signature, env.RECORD_KEY);
  const text = toLinkText(record);
  const unchanged = hashContent(record, items, digests) === record.content;
  const is_signed = proof?.text === text && record.hash === sha256(text);
  const is_chained = record.previous === before && (record.place === 1) === (before === null);
  const { kind, place, hash, previous, signature, made } = record;
  return {
    ...{ valid: unchanged && is_signed && is_chained, unchanged, is_signed, is_chained },
    ...{ kind, place, hash, previous, signature, made },
    key: proof ? { ...proof.key } : null,
    told: toDeviceStatement(items),
    files: files.toSorted((one, other) => one - other).map((id) => digests[id] ?? ""),
  };
}

/** The time and place that the device reported. */
function toDeviceStatement({ checkins, forms }: Awaited<ReturnType<typeof selectByToken>>["items"]): Verdict["told"] {
  const [checkin] = checkins;
  if (checkin) return { time: checkin.marker_time, received: checkin.received, location: checkin.location };
  const [form] = forms;
  if (!form || form.submitted === null) return null;
  return { time: form.submitted, received: null, location: form.submit_location };
}
