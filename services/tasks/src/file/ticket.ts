import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewFile, Ticket, WorkFileOwner } from "#shared/contract/file-ticket.ts";
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
  const [made, found] = await Promise.allSettled([
    env.FILES.createTicket(principal, file, { owner, base_url }),
    findField?.(),
  ]);
  // An error of the form or field takes precedence over a full storage.
  if (made.status === "rejected") throw found.status === "rejected" ? found.reason : made.reason;
  const { ticket, kept_until } = made.value;
  const store = async () => {
    if (found.status === "rejected") throw found.reason;
    const issued = { id: ticket.file_id, kept_until, owner, size: file.size, field: found.value };
    await insertFile(db, principal, issued, actor);
  };
  await store().catch(async (thrown) => {
    // The caller never gets this ticket: its storage is freed at once.
    await env.FILES.removeFiles([ticket.file_id]);
    throw thrown;
  });
  return ticket;
}
