import { expect, test } from "vitest";
import type { WorkerName } from "../workers.ts";
import type { Deployment } from "./platform.ts";
import { previousRelease } from "./release.ts";

/** Deployments with these messages, given oldest first, as the platform lists them. */
function history(...messages: string[]): Deployment[] {
  const deployments = messages.map((message, index) => ({
    created_on: `2026-11-24T00:00:0${index}Z`,
    versions: [{ version_id: `version-${index}`, percentage: 100 }],
    annotations: { "workers/message": message },
  }));
  return deployments.toReversed();
}

function targetOf(gateway: string[], fleet = gateway) {
  return previousRelease(
    new Map<WorkerName, Deployment[]>([
      ["gateway", history(...gateway)],
      ["fleet", history(...fleet)],
    ]),
  );
}

test("previousRelease is the one before the present release, and after going back the one before that", () => {
  expect(targetOf(["fleet release a", "fleet release b"])).toBe("a");
  expect(targetOf(["fleet release a", "fleet release b", "fleet release c", "fleet rollback to b"])).toBe("a");
});

test("previousRelease skips releases that were gone back from", () => {
  expect(targetOf(["fleet release a", "fleet release b", "fleet rollback to a", "fleet release c"])).toBe("a");
});

test("previousRelease is the gateway's own one after an activation or a rollback that was cut off", () => {
  expect(targetOf(["fleet release a"], ["fleet release a", "fleet release b"])).toBe("a");
  const goneBack = ["fleet release a", "fleet release b", "fleet rollback to a"];
  expect(targetOf(goneBack, ["fleet release a", "fleet release b"])).toBe("a");
});

test("previousRelease refuses where only one release, or none, is known", () => {
  expect(() => targetOf(["Automatic deployment", "fleet release a"])).toThrow("There is no earlier release");
  expect(() => targetOf([], ["fleet release a"])).toThrow("There is no earlier release");
});
