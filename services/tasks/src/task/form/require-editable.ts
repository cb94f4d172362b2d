import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { TaskRow } from "../../table/task/task.ts";

/** Throws 255 when the task has ended and the caller lacks the right `completed_form_update`. */
export function requireEditable({ status }: Pick<TaskRow, "status">, { rights }: Pick<Principal, "rights">) {
  const isOver = status === "done" || status === "failed" || status === "delayed" || status === "faulty";
  if (isOver && !rights.includes("completed_form_update")) throw new ApiError(255);
}
