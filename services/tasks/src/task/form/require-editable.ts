import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { TaskRow } from "../../table/task/task.ts";

/** Forms of tasks that are over are for those who have the right to it. */
export function requireEditable({ status }: Pick<TaskRow, "status">, { rights }: Pick<Principal, "rights">) {
  const isOver = status === "done" || status === "failed" || status === "delayed" || status === "faulty";
  if (isOver && !rights.includes("completed_form_update")) throw new ApiError(255);
}
