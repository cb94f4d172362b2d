import { randomInt } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newAccount, UNKNOWN_ID } from "../tool/call/account.ts";
import { effort } from "../tool/effort.ts";
import { stack } from "../tool/system/stack.ts";

/** A hash whose checksum is wrong. */
const ENDED = "0".repeat(32);
const JSON_TYPE = { "Content-Type": "application/json" };
const post = (path: string, body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  fetch(stack.baseUrl + path, { method: "POST", body, headers });
async function codeOf(response: Response): Promise<number | undefined> {
  const { status } = (await response.json()) as { status?: { code: number } };
  return status?.code;
}

test("the hash is found in body, query and both headers, in this order", async () => {
  const { hash } = await newAccount();
  const path = "/base/nothing";
  expect((await post(path, JSON.stringify({ hash }))).status).toBe(200);
  expect((await post(`${path}?hash=${hash}`, "")).status).toBe(200);
  for (const scheme of ["FMS", "Bearer"]) {
    expect((await post(path, "{}", { ...JSON_TYPE, Authorization: `${scheme} ${hash}` })).status).toBe(200);
  }
  expect(await codeOf(await post(`${path}?hash=${hash}`, JSON.stringify({ hash: ENDED })))).toBe(4);
  expect(await codeOf(await post(`${path}?hash=${ENDED}`, "{}", { ...JSON_TYPE, Authorization: `FMS ${hash}` }))).toBe(
    4,
  );
  expect(await codeOf(await post(path, "{}", { ...JSON_TYPE, Authorization: `Basic ${hash}` }))).toBe(3);
});

test.each([undefined, null, "", "abc", "g".repeat(32), "A".repeat(32), 5, {}, []])("a hash %j is 3", async (hash) => {
  expect(await codeOf(await post("/base/nothing", JSON.stringify({ hash })))).toBe(3);
});

test("parameters come as JSON, form, multipart or query alike", async () => {
  const account = await newAccount();
  const { hash } = account;
  const vehicle = { label: "Van ü & co", max_speed: 90 };
  const parameters = { hash, vehicle: JSON.stringify(vehicle), force_reassign: "true" };
  const form = new FormData();
  for (const [name, value] of Object.entries(parameters)) form.append(name, value);
  const replies = await Promise.all([
    post("/vehicle/create", JSON.stringify({ hash, vehicle })),
    post("/vehicle/create", new URLSearchParams(parameters), {}),
    post("/vehicle/create", form, {}),
    post(`/vehicle/create?${new URLSearchParams(parameters)}`, ""),
    // A command-line tool sends JSON so when it is given no content type.
    post("/vehicle/create", JSON.stringify({ hash, vehicle }), { "Content-Type": "application/x-www-form-urlencoded" }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const { list } = await account.must("/vehicle/list", { filter: "van ü & co" });
  expect(list).toHaveLength(5);
  expect(list.every(({ max_speed }: { max_speed: number }) => max_speed === 90)).toBe(true);
});

test("the body wins over the query, the last of equal names over the first", async () => {
  const account = await newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  const body = JSON.stringify({ hash: account.hash, vehicle_id: id });
  expect((await post(`/vehicle/read?vehicle_id=${UNKNOWN_ID}`, body)).status).toBe(200);
  const twice = `/vehicle/read?hash=${account.hash}&vehicle_id=${UNKNOWN_ID}&vehicle_id=${id}`;
  expect((await fetch(stack.baseUrl + twice)).status).toBe(200);
  const listed = await fetch(
    `${stack.baseUrl}/vehicle/list?hash=${account.hash}&sort=["label=asc"]&filter=null&limit=5`,
  );
  expect(await listed.json()).toMatchObject({ success: true, count: 1 });
  const broken = await fetch(`${stack.baseUrl}/vehicle/list?hash=${account.hash}&sort=["label`);
  expect(await broken.json()).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "sort" }] });
});

test("metrics are served only by a gateway that has a key for them", async () => {
  const answer = await fetch(`${new URL(stack.baseUrl).origin}/metrics`, { headers: { Authorization: "Bearer " } });
  expect([answer.status, (await answer.json()) as object]).toMatchObject([400, { status: { code: 111 } }]);
});

test("a trailing slash makes no difference", async () => {
  const { hash } = await newAccount();
  expect((await post("/base/nothing/", JSON.stringify({ hash }))).status).toBe(200);
});

test("GET reads and never changes; HEAD has no body; other methods are 112", async () => {
  const { hash } = await newAccount();
  const url = (path: string) => `${stack.baseUrl}${path}?hash=${hash}`;
  expect((await fetch(url("/vehicle/list"))).status).toBe(200);
  const head = await fetch(url("/vehicle/list"), { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(await codeOf(await fetch(`${url("/vehicle/create")}&vehicle={"label":"x"}`))).toBe(112);
  for (const method of ["PUT", "DELETE", "PATCH"])
    expect(await codeOf(await fetch(url("/vehicle/list"), { method }))).toBe(112);
});

test("an unknown resource is 111, an unknown action 112, with or without a hash", async () => {
  const { hash } = await newAccount();
  for (const body of [JSON.stringify({ hash }), "{}"]) {
    expect(await codeOf(await post("/spaceship/list", body))).toBe(111);
    expect(await codeOf(await post("/vehicle/fly", body))).toBe(112);
    expect(await codeOf(await post("/vehicle", body))).toBe(112);
    expect(await codeOf(await post("/constructor", body))).toBe(111);
  }
  expect(await codeOf(await fetch(`${stack.origin}/nowhere`))).toBe(111);
});

test("the gateway lets any page read its replies, lets no cache keep them, and gives each an id", async () => {
  const { hash } = await newAccount();
  for (const body of [JSON.stringify({ hash }), "{}", "nonsense"]) {
    const { headers } = await post("/base/nothing", body);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("Content-Type")).toBe("application/json");
  }
  const preflight = await fetch(`${stack.baseUrl}/vehicle/list`, {
    method: "OPTIONS",
    headers: { Origin: "https://app.example.com" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Content-Type");
  expect(preflight.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
});

test("the id of a reply is never the caller's alone", async () => {
  const sent = { "X-Request-Id": "mine" };
  const { headers } = await fetch(`${stack.baseUrl}/base/nothing`, { headers: sent });
  expect(headers.get("X-Request-Id")).toMatch(/^mine\.[0-9a-f-]{36}$/);
});

test("a reply to a valid credential tells the rate, one without does not", async () => {
  const { hash } = await newAccount();
  const { headers } = await post("/base/nothing", JSON.stringify({ hash }));
  for (const name of ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]) {
    expect(Number(headers.get(name))).toBeGreaterThan(0);
  }
  expect((await post("/base/nothing", "{}")).headers.get("RateLimit-Limit")).toBeNull();
});

test("a body over the limit is 9, with a Content-Length or without", async () => {
  const { hash } = await newAccount();
  const authorized = { ...JSON_TYPE, Authorization: `Bearer ${hash}` };
  const body = (bytes: number) => `{"hash":"${hash}","pad":"${"x".repeat(bytes)}"}`;
  expect((await post("/base/nothing", body(4 * 1024 * 1024 - 100))).status).toBe(200);
  const over = await post("/base/nothing", body(4 * 1024 * 1024));
  expect([over.status, await codeOf(over)]).toEqual([412, 9]);
  expect(await codeOf(await post("/base/nothing", body(20 * 1024 * 1024)))).toBe(9);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(18 * 1024 * 1024)]));
  expect(await codeOf(await post("/base/nothing", form, { Authorization: `Bearer ${hash}` }))).toBe(9);
  // Without a length: only counting tells.
  let sent = 0;
  const unannounced = new ReadableStream({
    pull(controller) {
      if (sent++ < 20) controller.enqueue(new Uint8Array(1024 * 1024));
      else controller.close();
    },
  });
  const streamed = { method: "POST", body: unannounced, headers: authorized, duplex: "half" };
  expect(await codeOf(await fetch(`${stack.baseUrl}/base/nothing`, streamed as RequestInit))).toBe(9);
});

describe("of a caller without a valid hash", () => {
  const pad = (bytes: number) => "x".repeat(bytes);

  test("64 KB of JSON are parsed, and longer JSON is refused as malformed JSON of that length is", async () => {
    expect(await codeOf(await post("/base/nothing", `{"pad":"${pad(60_000)}"}`))).toBe(3);
    expect(await codeOf(await post("/base/nothing", `{"pad":"${pad(60_000)}`))).toBe(5);
    for (const end of ['"}', ""]) {
      expect(await codeOf(await post("/base/nothing", `{"pad":"${pad(100_000)}${end}`))).toBe(3);
      expect(await codeOf(await post("/base/nothing", `{"hash":"${ENDED}","pad":"${pad(100_000)}${end}`))).toBe(4);
      expect(await codeOf(await post(`/base/nothing?hash=${ENDED}`, `{"pad":"${pad(100_000)}${end}`))).toBe(4);
    }
  });

  test("a valid hash in the body wins over one that has ended, whether it stands before 100 KB of parameters or after them", async () => {
    const { hash } = await newAccount();
    const member = `"hash":"${hash}"`;
    for (const body of [`{${member},"pad":"${pad(100_000)}"}`, `{"pad":"${pad(100_000)}", ${member}}`]) {
      expect((await post(`/base/nothing?hash=${ENDED}`, body)).status).toBe(200);
    }
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await post("/base/nothing", `pad=${pad(100_000)}&hash=${hash}`, form)).status).toBe(200);
  });

  test("a hash within a nested object identifies no caller", async () => {
    const { hash } = await newAccount();
    expect(await codeOf(await post("/base/nothing", `{"inner":{"hash":"${hash}"}}`))).toBe(3);
  });

  test("a form of 60 parts or 1 MB is parsed; beyond that it is refused unless its hash came before", async () => {
    const { hash } = await newAccount();
    const formOf = (parts: number, bytes: number, first: [string, string][] = []) => {
      const form = new FormData();
      for (const [name, value] of first) form.append(name, value);
      for (let index = 0; index < parts; index++) form.append(`part${index}`, "x");
      form.append("file", new Blob([new Uint8Array(bytes)]));
      return form;
    };
    const ask = async (form: FormData) => codeOf(await post("/base/nothing", form, {}));
    expect(await ask(formOf(50, 900_000))).toBe(3);
    expect(await ask(formOf(200, 100))).toBe(3);
    expect(await ask(formOf(1, 2_000_000))).toBe(3);
    expect(await ask(formOf(1, 2_000_000, [["hash", ENDED]]))).toBe(4);
    expect(await ask(formOf(200, 2_000_000, [["hash", hash]]))).toBeUndefined();
  });
});

test("an upload redirects nobody without a valid hash, and nobody who asks by GET", async () => {
  const { hash } = await newAccount();
  const target = `redirect_target=${encodeURIComponent("https://example.com/")}`;
  for (const path of ["/zone/upload", "/nothing/upload", "/vehicle/nothing/upload"]) {
    for (const query of [target, `${target}&hash=${ENDED}`]) {
      const answer = await fetch(`${stack.baseUrl}${path}?${query}`, { method: "POST", redirect: "manual" });
      expect([answer.status, answer.headers.get("Location")], path).toEqual([400, null]);
    }
    const read = await fetch(`${stack.baseUrl}${path}?${target}&hash=${hash}`, { redirect: "manual" });
    expect([read.status, read.headers.get("Location")], path).toEqual([400, null]);
  }
});

test.each([
  ["[]"],
  ['"text"'],
  ["5"],
  ["null"],
  ["{"],
  ['{"a":1,}'],
  [`${"[".repeat(100_000)}`],
  [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  [`{"a":${"[".repeat(64)}${"]".repeat(64)}}`],
])("the body %.50s is 5", async (body) => {
  const { hash } = await newAccount();
  const reply = await post("/base/nothing", body, { ...JSON_TYPE, Authorization: `Bearer ${hash}` });
  expect([reply.status, await codeOf(reply)]).toEqual([400, 5]);
});

test("a body as deep as allowed is read", async () => {
  const { hash } = await newAccount();
  const body = `{"hash":"${hash}","a":${"[".repeat(63)}${"]".repeat(63)}}`;
  expect((await post("/base/nothing", body)).status).toBe(200);
});

test("truncated and malformed multipart bodies are 5", async () => {
  const { hash } = await newAccount();
  const type = { "Content-Type": "multipart/form-data; boundary=xxx" };
  for (const body of [
    `--xxx\r\nContent-Disposition: form-data; name="hash"\r\n\r\n${hash}`,
    "--xxx",
    "",
    "nothing of the kind",
  ]) {
    const reply = await post(`/base/nothing?hash=${hash}`, body, type);
    if (body === "") expect(reply.status).toBeLessThan(500);
    else expect(await codeOf(reply)).toBe(5);
  }
  expect(await codeOf(await post("/base/nothing", "x", { "Content-Type": "multipart/form-data" }))).toBe(5);
});

test("an upload that the gateway itself refuses redirects to its target with the refusal; data/spreadsheet/parse does not redirect", async () => {
  const { hash } = await newAccount();
  const target = encodeURIComponent("https://example.com/done?a=1");
  const broken = (path: string) =>
    fetch(`${stack.baseUrl}${path}?hash=${hash}&redirect_target=${target}`, {
      method: "POST",
      body: "no form",
      headers: { "Content-Type": "multipart/form-data; boundary=b" },
      redirect: "manual",
    });
  const answer = await broken("/zone/upload");
  const location = new URL(answer.headers.get("Location") ?? "");
  expect([answer.status, location.host, location.searchParams.get("a")]).toEqual([302, "example.com", "1"]);
  expect(JSON.parse(location.searchParams.get("response") ?? "")).toMatchObject({
    success: false,
    status: { code: 5 },
  });
  expect((await broken("/data/spreadsheet/parse")).status).toBe(400);
});

test("multipart parts arrive as they were sent: text in any script, files with every byte of their content", async () => {
  const { hash } = await newAccount();
  const form = new FormData();
  form.append("hash", hash);
  form.append("file", new File(["номер,имя\r\n1,Жанна ü 漢字\r\n"], "список ü.csv", { type: "text/csv" }));
  const reply = await (await post("/data/spreadsheet/parse", form, {})).json();
  expect(reply).toMatchObject({
    success: true,
    preview: [
      ["номер", "имя"],
      ["1", "Жанна ü 漢字"],
    ],
  });
});

test("a body that ends before its announced length stores nothing", async () => {
  const account = await newAccount();
  const { hostname, port } = new URL(stack.origin);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ hash: account.hash, vehicle: { label: "Cut" } });
  socket.write(
    `POST /api-v2/vehicle/create HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 50}\r\n\r\n${body}`,
  );
  socket.end();
  // The client hangs up and gets no answer: the list of vehicles shows what happened.
  await new Promise<void>((resolve) => {
    socket.resume().on("close", () => resolve());
    socket.on("error", () => resolve());
  });
  expect((await account.must("/vehicle/list")).count).toBe(0);
});

const folder = join(import.meta.dirname, "..", "fixtures", "json");

test("the files of the JSON test suite never get a 5xx, and those that must be refused are 5", async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  expect(names.length).toBeGreaterThan(150);
  for (const name of names) {
    const bytes = await readFile(join(folder, name));
    const reply = await post("/base/nothing", bytes);
    const code = await codeOf(reply);
    expect(reply.status, name).toBeLessThan(500);
    // Without a hash what parses is 3, and so is what is too long to be parsed; no JSON, or none that is an object, is 5.
    const isParsed = bytes.length > 0 && bytes.length <= 64 * 1024;
    if (name.startsWith("n_")) expect([5, ...(isParsed ? [] : [3])], name).toContain(code);
    if (name.startsWith("y_object")) expect(code, name).toBe(3);
    if (name.startsWith("y_")) expect([3, 5], name).toContain(code);
  }
});

test("random bytes, types and paths never get a 5xx", async () => {
  const { hash } = await newAccount();
  const values = [null, true, -1, 1e308, "x", "\u0000", [], [[]], {}, { id: {} }, "💥".repeat(50), -0, 2 ** 53];
  const pick = () => values[randomInt(values.length)];
  const paths = [
    "/vehicle/list",
    "/vehicle/create",
    "/vehicle/update",
    "/vehicle/delete",
    "/vehicle/read",
    "/tracker/register",
    "/tracker/list",
    "/track/list",
    "/track/read",
    "/user/auth",
    "/api/key/delete",
    "/vehicle/batch_convert",
    "/tracker/get_states",
  ];
  const names = [
    "limit",
    "offset",
    "sort",
    "filter",
    "vehicle",
    "vehicle_id",
    "vehicle_ids",
    "tracker_id",
    "trackers",
    "from",
    "to",
    "labels",
    "key",
    "batch",
    "fields",
    "login",
    "password",
  ];
  for (let turn = 0; turn < effort({ few: 80, many: 2000 }); turn++) {
    const parameters = Object.fromEntries(names.filter(() => randomInt(3) === 0).map((name) => [name, pick()]));
    const path = paths[turn % paths.length] ?? "";
    const reply = await post(path, JSON.stringify({ ...parameters, hash }));
    expect(reply.status, `${path} ${JSON.stringify(parameters)}: ${await reply.text()}`).toBeLessThan(500);
  }
});

test("the log of all this holds no hash and no password", async () => {
  const account = await newAccount();
  await account.call("/vehicle/list", { sort: 5 });
  const logs = JSON.stringify(await stack.logs());
  expect(logs).not.toContain(account.hash);
  expect(logs).not.toContain(account.password);
});
