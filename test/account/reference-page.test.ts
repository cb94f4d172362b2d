import { expect, test } from "vitest";
import { apiDocument } from "../../scripts/api-document.ts";
import { stack } from "../tool/system/stack.ts";

const HOST = /(?:https?:)?\/\/[\w.-]+\.\w+/;

test("the page of the API reference loads files of this host alone", async () => {
  for (const address of [`${stack.origin}/docs`, `${stack.origin}/docs/`]) {
    const page = await fetch(address);
    expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(await page.text()).not.toMatch(HOST);
  }
});

test("files of the reference page have the content type of scripts, and browsers keep them", async () => {
  const script = await scriptOf(await (await fetch(`${stack.origin}/docs`)).text());
  expect(script.text).toContain("createApiReference");
  expect(script.text).not.toMatch(HOST);
  const library = /from "\.\/(?<name>.+?)"/.exec(script.text)?.groups?.name ?? "";
  for (const path of [script.path, script.path.replace("page.js", library)]) {
    const file = await fetch(stack.origin + path);
    expect(file.status).toBe(200);
    expect(file.headers.get("Content-Type")).toMatch(/^text\/javascript/);
    expect(file.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(file.headers.get("X-Content-Type-Options")).toBe("nosniff");
    await file.body?.cancel();
  }
});

test("the reference page turns off every option by which its library would ask other hosts", async () => {
  const { text } = await scriptOf(await (await fetch(`${stack.origin}/docs`)).text());
  for (const off of ["withDefaultFonts: false", 'proxyUrl: ""', "telemetry: false", "agent: { disabled: true }"])
    expect(text).toContain(off);
});

test.each(["/docs/", "/docs/index.html", "/docs/index.html/"])(
  "the path %s serves the reference page with the policy of /docs",
  async (path) => {
    const [one, other] = await Promise.all([path, "/docs"].map((each) => fetch(stack.origin + each)));
    expect(await one?.text()).toBe(await other?.text());
    expect(one?.headers.get("Content-Security-Policy")).toBe(other?.headers.get("Content-Security-Policy"));
  },
);

test.each([
  ...["/docs/nothing.js", "/docs/../wrangler.toml", "/docs/%2e%2e/package.json", "/docsx"],
  ...[
    "/docs/../fonts/NotoSans-Regular.ttf",
    "/docs/%2e%2e/stamp",
    "/fonts/NotoSans-Regular.ttf",
    "/reference/index.html",
  ],
])("the path %s is 111: it is no file of the reference page", async (path) => {
  const answer = await fetch(stack.origin + path);
  expect(await answer.json()).toMatchObject({ success: false, status: { code: 111 } });
});

test("openapi.json is the document made of the declarations, and names no host that the caller chose", async () => {
  const served = await fetch(`${stack.baseUrl}/openapi.json`);
  expect(await served.json()).toEqual({ ...JSON.parse(JSON.stringify(apiDocument())), servers: [{ url: "/api-v2" }] });
});

test("openapi.json has an ETag, and answers 304 to a caller that shows it", async () => {
  const etag = (await fetch(`${stack.baseUrl}/openapi.json`)).headers.get("ETag") ?? "";
  const ask = (known: string) => fetch(`${stack.baseUrl}/openapi.json`, { headers: { "If-None-Match": known } });
  const same = await ask(`"another", ${etag}`);
  expect([same.status, await same.text(), same.headers.get("ETag")]).toEqual([304, "", etag]);
  expect((await ask('"another"')).status).toBe(200);
});

async function scriptOf(page: string) {
  const path = /<script type="module" src="(?<path>[^"]+)">/.exec(page)?.groups?.path ?? "";
  return { path, text: await (await fetch(stack.origin + path)).text() };
}
