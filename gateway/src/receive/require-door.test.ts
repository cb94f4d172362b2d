import { Hono } from "hono";
import { expect, test } from "vitest";
import { isApiError } from "#shared/error/api-error.ts";
import type { GatewayApp } from "./call/gateway-call.ts";
import { requireDoor } from "./require-door.ts";

const app = new Hono<GatewayApp>()
  .use(requireDoor)
  .get("/", (call) => call.text("passed"))
  .onError((thrown, call) => call.text(`refused ${isApiError(thrown) ? thrown.code : thrown}`));

test.each([
  ["without a door key", undefined, undefined, "passed"],
  ["with an empty door key", "", undefined, "passed"],
  ["with a door key that the request shows", "right", "right", "passed"],
  ["with a door key and a request without one", "right", undefined, "refused 111"],
  ["with a door key and a request with another", "right", "wrong", "refused 111"],
])("a gateway %s lets the request in or refuses it", async (_, DOOR_KEY, shown, expected) => {
  const headers: Record<string, string> = shown === undefined ? {} : { "FMS-Door-Key": shown };
  expect(await (await app.request("/", { headers }, { DOOR_KEY })).text()).toBe(expected);
});
