import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewFile, Ticket, WorkFileOwner } from "#shared/contract/file/file-ticket.ts";
import type { Database } from "#shared/database/open.ts";
import type { TasksEnv } from "../env.ts";
import { type FormFieldRef, insertFile } from "./queries.ts";

type TicketOptions = {
  owner: WorkFileOwner;
  base_url: string;
  actor: Actor;
  /** Finds the form and its field while the ticket is made; an error that it throws becomes the answer. */
  findField?: () => Promise<FormFieldRef>;
};

/**
 * Issues the ticket for a file of a check-in or form. Throws 268 when the storage of the account is full, 271 when the
 * file is larger than allowed.
 */
export async function issueTicket(
  db: Database,
  env: TasksEnv,
  principal: Principal,
  file: NewFile,
  { owner, base_url, actor, findField }: TicketOptions,
): Promise<Ticket> {
  const [created, field] = await Promise.allSettled([
    env.FILES.createTicket(principal, file, { owner, base_url }),
    findField?.(),
  ]);
  // An error of the form or field takes precedence over a full storage.
  if (created.status === "rejected") throw field.status === "rejected" ? field.reason : created.reason;
  const { ticket, kept_until } = created.value;
  const store = async () => {
    if (field.status === "rejected") throw field.reason;
    const newFile = { id: ticket.file_id, kept_until, owner, size: file.size, field: field.value };
    await insertFile(db, principal, newFile, actor);
  };
  await store().catch(async (thrown) => {
    // The caller never gets this ticket: its storage is freed at once.
    await env.FILES.removeFiles([ticket.file_id]);
    throw thrown;
  });
  return ticket;
}
