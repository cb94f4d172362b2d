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
  /** Finds the form and its field while the ticket is made; what it throws is the answer. */
  findField?: () => Promise<FormFieldRef>;
};

/** Room for a file that a check-in or a form is going to name: 268 where there is none, 271 for more than one may have. */
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
  // What is wrong with the thing is told before there being no room for its file.
  if (made.status === "rejected") throw found.status === "rejected" ? found.reason : made.reason;
  const { ticket, kept_until } = made.value;
  const store = async () => {
    if (found.status === "rejected") throw found.reason;
    const issued = { id: ticket.file_id, kept_until, owner, size: file.size, field: found.value };
    await insertFile(db, principal, issued, actor);
  };
  await store().catch(async (thrown) => {
    // Nobody gets the ticket: its room is free again at once.
    await env.FILES.removeFiles([ticket.file_id]);
    throw thrown;
  });
  return ticket;
}
