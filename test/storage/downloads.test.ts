import { expect, test } from "vitest";
import { sharedAccount } from "../tool/call/account.ts";
import { newTicket, upload } from "../tool/call/uploads.ts";

const CONTENT = "0123456789";

async function uploadFile(
  content: string | Uint8Array<ArrayBuffer> = CONTENT,
  filename = "notes.txt",
  type = "text/plain",
) {
  const ticket = await newTicket(await sharedAccount(), { filename, size: content.length });
  const { value } = await upload(ticket, new File([content], filename, { type }));
  return String(value.download_url);
}

test("several parts of a file come in one answer, each with its place", async () => {
  const url = await uploadFile();
  const answer = await fetch(url, { headers: { Range: "bytes=8-,0-1,4-4" } });
  const boundary = /^multipart\/byteranges; boundary=(\w+)$/.exec(answer.headers.get("Content-Type") ?? "")?.[1];
  expect(answer.status).toBe(206);
  const text = await answer.text();
  expect(answer.headers.get("Content-Length")).toBe(String(text.length));
  const part = (range: string, content: string) =>
    `\r\n--${boundary}\r\nContent-Type: text/plain\r\nContent-Range: bytes ${range}/10\r\n\r\n${content}`;
  expect(text).toBe(`${part("0-1", "01")}${part("4-4", "4")}${part("8-9", "89")}\r\n--${boundary}--\r\n`);
});

test("parts that meet are one, and five of sixteen megabytes come as they are", async () => {
  const url = await uploadFile();
  const one = await fetch(url, { headers: { Range: "bytes=0-3,2-5" } });
  expect([one.status, one.headers.get("Content-Range"), await one.text()]).toEqual([206, "bytes 0-5/10", "012345"]);
  const content = new Uint8Array(16 * 1024 * 1024).map((_, index) => index % 251);
  const large = await uploadFile(content, "large.bin", "application/octet-stream");
  const starts = [0, 4, 8, 12, 15].map((megabyte) => megabyte * 1024 * 1024);
  const Range = `bytes=${starts.map((start) => `${start}-${start + 999_999}`).join(",")}`;
  const bytes = Buffer.from(await (await fetch(large, { headers: { Range } })).arrayBuffer());
  for (const start of starts) {
    const from = bytes.indexOf(`Content-Range: bytes ${start}-`);
    const body = bytes.indexOf("\r\n\r\n", from) + 4;
    expect(bytes.subarray(body, body + 1_000_000).equals(content.subarray(start, start + 1_000_000))).toBe(true);
  }
});

test("a part that the file does not have is 416 and says how long it is, and so are more than five parts", async () => {
  const url = await uploadFile();
  for (const Range of ["bytes=10-", "bytes=-0", "bytes=0-0,2-2,4-4,6-6,8-8,9-9"]) {
    const answer = await fetch(url, { headers: { Range } });
    expect([answer.status, answer.headers.get("Content-Range"), await answer.text()]).toEqual([416, "bytes */10", ""]);
  }
  const mostly = await fetch(url, { headers: { Range: "bytes=20-30,2-3" } });
  expect([mostly.status, await mostly.text()]).toEqual([206, "23"]);
});

test("a part is of the content that the caller knows, else all of it comes", async () => {
  const url = await uploadFile();
  const ETag = (await fetch(url, { method: "HEAD" })).headers.get("ETag") ?? "";
  const withRange = async (headers: Record<string, string>) => {
    const answer = await fetch(url, { headers: { Range: "bytes=2-3", ...headers } });
    return [answer.status, await answer.text()];
  };
  expect(await withRange({ "If-Range": ETag })).toEqual([206, "23"]);
  for (const held of [`W/${ETag}`, '"another"', new Date().toUTCString()]) {
    expect(await withRange({ "If-Range": held })).toEqual([200, CONTENT]);
  }
  for (const known of [ETag, `"a", W/${ETag}`, "*"])
    expect(await withRange({ "If-None-Match": known })).toEqual([304, ""]);
  expect(await withRange({ "If-None-Match": '"another"' })).toEqual([206, "23"]);
  expect((await fetch(url, { headers: { "If-None-Match": '"another"' } })).status).toBe(200);
});

test("a file that could run in a browser is sent as an attachment under its name, with a policy that allows nothing", async () => {
  for (const [name, type] of [
    ["page.html", "text/html"],
    ["drawing.svg", "image/svg+xml"],
    ["page.xml", "application/xhtml+xml"],
  ] as const) {
    const headers = new Headers((await fetch(await uploadFile("<script>1</script>", name, type))).headers);
    expect(headers.get("Content-Disposition")).toContain(`attachment; filename="${name}"`);
    expect(headers.get("Content-Type")).not.toContain("svg");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
  }
  const named = await fetch(await uploadFile("1", 'Отчёт "№1".html', "text/html"));
  expect(named.headers.get("Content-Disposition")).toContain(
    `filename*=UTF-8''${encodeURIComponent('Отчёт "№1".html')}`,
  );
});
