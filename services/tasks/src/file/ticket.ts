import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewFile, Ticket, WorkFileOwner } from "#shared/contract/file-ticket.ts";
import type { Database } from "#shared/database/open.ts";
import type { TasksEnv } from "../env.ts";
import { insertFile } from "./queries.ts";

type For = { owner: WorkFileOwner; base_url: string; actor: Actor };

/** Room for a file that a check-in or a form is going to name: 268 where there is none, 271 for more than one may have. */
export async function issueTicket(
  db: Database,
  env: TasksEnv,
  principal: Principal,
  file: NewFile,
  { owner, base_url, actor }: For,
): Promise<Ticket> {
  const { ticket, kept_until } = await env.FILES.createTicket(principal, file, { owner, base_url });
  const issued = { id: ticket.file_id, kept_until, owner, size: file.size };
  await insertFile(db, principal, issued, actor).catch(async (thrown) => {
    // Nobody gets the ticket: its room is free again at once.
    await env.FILES.removeFiles([ticket.file_id]);
    throw thrown;
  });
  return ticket;
}
