import { expect, test } from "vitest";
import { type Account, newAccount, operator, type Reply, sharedAccount } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { upload } from "#test/tool/call/uploads.ts";
import { PNG } from "#test/tool/document/png.ts";
import { stack } from "#test/tool/system/stack.ts";

const PATH = "/checkin/image/create";
const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);
const ticketOf = async (account: Account, given: object = {}) =>
  (await account.must(PATH, { size: 1000, ...given })).value;

test("checkin/image/create gives a ticket for a photo, which is a file of the account once uploaded", async () => {
  const account = await newAccount();
  const given = { filename: "door.png", metadata: { orientation: 6 } };
  const ticket = await ticketOf(account, given);
  expect(ticket).toMatchObject({ url: `${stack.baseUrl}/file/upload/${ticket.file_id}`, file_field_name: "file" });
  const { value } = await upload(ticket, new File([PNG], "a.png"));
  expect(value).toMatchObject({ id: ticket.file_id, name: "door.png", size: PNG.length, mime_type: "image/png" });
  const search = { account_id: account.id, ids: [ticket.file_id], base_url: stack.baseUrl };
  const [file] = await stack.filesOf(search);
  expect(file).toMatchObject({ id: ticket.file_id, user_id: account.id, type: "image", state: "uploaded" });
  expect(file).toMatchObject({ name: "door.png", metadata: given.metadata, download_url: value.download_url });
  expect(await stack.filesOf({ ...search, account_id: account.id + 1 })).toEqual([]);
  expect((await account.must("/file/stats/read")).value).toMatchObject({ file_count: 1, total_size: PNG.length });
});

test("a check-in photo that is no image is 234, and its ticket stays good", async () => {
  const ticket = await ticketOf(await sharedAccount());
  expect(codeOf(await upload(ticket, new File(["no image"], "a.png", { type: "image/png" })))).toBe(234);
  expect(codeOf(await upload(ticket, new File([PNG], "a.png")))).toBe(undefined);
});

test("checkin/image/create refuses a photo beyond the file limit (271) and beyond the account's free space (268)", async () => {
  const account = await newAccount();
  await operator.must("/panel/user/update", { user_id: account.id, limits: { file_bytes: 10_000 } });
  expect(codeOf(await account.call(PATH, { size: 16 * 1024 * 1024 + 1 }))).toBe(271);
  expect(codeOf(await account.call(PATH, { size: 10_001 }))).toBe(268);
  expect(codeOf(await account.call(PATH, { size: 10_000 }))).toBe(undefined);
  expect(codeOf(await account.call("/vehicle/service_task/file/create", { size: 1 }))).toBe(268);
});

test("checkin/image/create needs no right, and names a wrong parameter", async () => {
  const account = await sharedAccount();
  const { hash } = await newSubUser(account);
  const { value } = await account.must(PATH, { hash, size: 1000 });
  expect(codeOf(await upload(value, new File([PNG], "a.png")))).toBe(undefined);
  for (const [wrong, parameter] of [
    [{ size: 0 }, "size"],
    [{ filename: "x".repeat(256) }, "filename"],
    [{ metadata: "orientation" }, "metadata"],
  ] as const) {
    const reply = await account.call(PATH, { size: 1, ...wrong });
    expect([codeOf(reply), reply.errors[0].parameter]).toEqual([7, parameter]);
  }
});
