import { expect, test } from "vitest";
import { ownerOf } from "./routes.ts";

test.each([
  ["/tracker/list", "FLEET"],
  ["/tracker/rule/list", "GEO"],
  ["/tracker/get_states", "GEO"],
  ["/tracker/get_state", "GEO"],
  ["/tracker/get_counters", "FLEET"],
  ["/tracker/settings/update", "FLEET"],
  ["/tracker/settings/lbs/read", "GEO"],
  ["/subuser/places/bind", "GEO"],
  ["/subuser/register", "GATEWAY"],
  ["/api/key/list", "GATEWAY"],
  ["/track/list", "GEO"],
  ["/vehicle", "FLEET"],
])("ownerOf routes %s to %s", (path, owner) => expect(ownerOf(path)).toBe(owner));

test.each(["/", "", "/vehicles/list", "/api", "/trackers", "/vehiclelist", "/constructor", "//vehicle"])(
  "ownerOf finds no Worker for %j",
  (path) => expect(ownerOf(path)).toBeUndefined(),
);
