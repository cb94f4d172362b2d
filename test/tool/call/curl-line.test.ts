import { expect, test } from "vitest";
import { curlLine } from "./curl-line.ts";

const baseUrl = "http://127.0.0.1:8787/api-v2";

test("curlLine quotes a JSON body for the shell", () => {
  const parameters = { hash: "0f", label: "Ann's van" };
  expect(curlLine({ baseUrl, path: "/tag/create", parameters, headers: { "User-Agent": "test" } })).toBe(
    `curl -s 'http://127.0.0.1:8787/api-v2/tag/create' -H 'User-Agent: test' -H 'Content-Type: application/json' -d '{"hash":"0f","label":"Ann'\\''s van"}'`,
  );
});

test("curlLine sends parameters beside a file as parts of a form", () => {
  const parameters = { tag_id: 7, file: new File(["x"], "tag.png") };
  expect(curlLine({ baseUrl, path: "/tag/avatar/upload", parameters })).toBe(
    "curl -s 'http://127.0.0.1:8787/api-v2/tag/avatar/upload' -F 'tag_id=7' -F 'file=@tag.png'",
  );
});
