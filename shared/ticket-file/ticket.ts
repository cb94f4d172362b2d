import type { IssuedTicket, KeptFile, Ticket } from "../contract/file/file-ticket.ts";
import type { FileStore } from "../contract/files.ts";

/** Stores the file of a ticket. If that fails, the caller gets no ticket, and the reserved space is released at once. */
export async function storeTicket(
  files: FileStore,
  { ticket, kept_until }: IssuedTicket,
  store: (file: KeptFile) => Promise<void>,
): Promise<Ticket> {
  await store({ id: ticket.file_id, kept_until }).catch(async (thrown) => {
    await files.removeFiles([ticket.file_id]);
    throw thrown;
  });
  return ticket;
}
