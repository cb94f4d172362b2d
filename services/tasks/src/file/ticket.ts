import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewFile, Ticket, WorkFileOwner } from "#shared/contract/file/file-ticket.ts";
import type { Database } from "#shared/database/open.ts";
import { storeTicket } from "#shared/ticket-file/ticket.ts";
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
  return storeTicket(env.FILES, created.value, async (kept) => {
    if (field.status === "rejected") throw field.reason;
    await insertFile(db, principal, { ...kept, owner, size: file.size, field: field.value }, actor);
  });
}
