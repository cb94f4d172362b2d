import { createHash } from "node:crypto";
import type { CheckinRow } from "../table/checkin.ts";
import type { FormRow } from "../table/form/form.ts";
import type { RecordRow } from "../table/record/record.ts";
import { canonicalJson } from "./canonical-json.ts";

/** Rows of check-ins and forms, with the files whose digests go into their records. */
export type RecordedItems = {
  checkins: CheckinRow[];
  forms: FormRow[];
  files: { id: number; form_id: number | null }[];
};
export type Digests = Record<number, string>;

/** The hash of the item as it is stored now; undefined after it was deleted. */
export function hashContent(
  { kind, thing_id }: Pick<RecordRow, "kind" | "thing_id">,
  items: RecordedItems,
  digests: Digests,
) {
  const content = kind === "checkin" ? checkinOf(thing_id, items, digests) : formOf(thing_id, items, digests);
  return content && sha256(canonicalJson(content));
}

/** The members of a record that are hashed and signed; the others are derived from them. */
export type ChainLink = Pick<RecordRow, "account_id" | "place" | "kind" | "thing_id" | "content" | "previous" | "made">;

/** The text of a record that is hashed and signed. */
export function toLinkText({ account_id, place, kind, thing_id, content, previous, made }: ChainLink) {
  return canonicalJson({ account_id, place, kind, thing_id, content, previous, made });
}

export function sha256(text: string) {
  return createHash("sha256").update(text).digest("hex");
}

/** The ids of all files that the check-ins and forms show. */
export function fileIdsOf({ checkins, files }: RecordedItems) {
  return [...checkins.flatMap(({ file_ids }) => file_ids), ...files.map(({ id }) => id)];
}

function checkinOf(id: number, { checkins }: RecordedItems, digests: Digests) {
  const row = checkins.find((one) => one.id === id);
  if (!row) return undefined;
  const { account_id, tracker_id, employee_id, marker_time, received, location, comment, file_ids } = row;
  const plain = { id, account_id, tracker_id, employee_id, marker_time, received, location, comment };
  return { ...plain, kind: "checkin", files: digestsOf(file_ids, digests) };
}

function formOf(id: number, { forms, files }: RecordedItems, digests: Digests) {
  const row = forms.find((one) => one.id === id);
  if (!row) return undefined;
  const { account_id, task_id, checkin_id, label, fields, values, submitted, submit_location } = row;
  const ids = files.filter(({ form_id }) => form_id === id).map((file) => file.id);
  const plain = { id, account_id, task_id, checkin_id, label, fields, values, submitted, submit_location };
  return { ...plain, kind: "form", files: digestsOf(ids, digests) };
}

function digestsOf(ids: number[], digests: Digests) {
  return ids.toSorted((one, other) => one - other).map((id) => ({ id, sha256: digests[id] ?? null }));
}
