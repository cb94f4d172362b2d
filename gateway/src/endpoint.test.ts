import { expect, test } from "vitest";
import { isEndpoint } from "./endpoint.ts";

test.each([
  ["https://push.example.net/send/abc", true, true],
  ["https://10.0.0.7/send", true, false],
  ["https://push.internal/send", true, false],
  ["http://127.0.0.1:9000/send", true, false],
  ["http://localhost/send", true, false],
  ["http://[::1]:9000/send", true, false],
  ["http://push.example.net/send", false, false],
  ["http://127.0.0.1.example.net/send", false, false],
  ["ftp://push.example.net", false, false],
  ["abc123", false, false],
])("isEndpoint of %s is %s in a local run and %s in a deployed Worker", (token, locally, deployed) => {
  expect([isEndpoint(token, true), isEndpoint(token, false)]).toEqual([locally, deployed]);
});
