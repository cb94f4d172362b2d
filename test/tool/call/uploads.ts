import { Readable } from "node:stream";
import type { System } from "../system/controls.ts";
import { waitUntil } from "../wait.ts";
import { type Account, type Reply, UNKNOWN_ID } from "./account.ts";

type Ticket = { url: string; file_field_name: string; fields: Record<string, string> };

/** A ticket for a file of service works. */
export async function newTicket(account: Account, wanted: object = {}): Promise<Reply> {
  return (await account.must("/vehicle/service_task/file/create", { size: 1000, ...wanted })).value;
}

/** Uploads a file for a ticket as a client does: the fields first, the file last. */
export async function upload({ url, file_field_name, fields }: Ticket, file?: File): Promise<Reply> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set(file_field_name, file);
  const answer = await fetch(url, { method: "POST", body });
  return answer.json();
}

/** Waits until files has begun to take in the content for a ticket. */
export function untilInProgress({ filesOf }: Pick<System, "filesOf">, { id }: Account, { file_id }: Reply) {
  const search = { account_id: id, ids: [file_id], base_url: "" };
  const isBegun = ([file]: Awaited<ReturnType<typeof filesOf>>) => file?.state === "in_progress";
  return waitUntil("the upload has begun", () => filesOf(search), isBegun);
}

/** Sends a file in two parts; `between` runs before the second part is sent. */
export async function uploadInTwo(ticket: Ticket, [first, rest]: [Buffer, Buffer], between: () => Promise<unknown>) {
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
  const fields = Object.entries(ticket.fields).map(([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`);
  async function* pieces() {
    yield Buffer.from(`${fields.join("")}${part(ticket.file_field_name)}; filename="a.txt"\r\n\r\n`);
    yield first;
    await between();
    yield rest;
    yield Buffer.from("\r\n--b--\r\n");
  }
  const headers = { "Content-Type": "multipart/form-data; boundary=b" };
  const body = Readable.toWeb(Readable.from(pieces()));
  // Types of the two runtimes know nothing of each other's streams.
  const sent = { method: "POST", headers, body: body as unknown as BodyInit, duplex: "half" };
  const answer = await fetch(ticket.url, sent);
  return answer.json() as Reply;
}

/** A file of the account, ready to be named by service works. */
export async function newFile(account: Account, name = "bill.pdf"): Promise<number> {
  const ticket = await newTicket(account);
  const { success } = await upload(ticket, new File(["bill"], name, { type: "application/pdf" }));
  return success ? Number(ticket.file_id) : UNKNOWN_ID;
}
