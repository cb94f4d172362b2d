import { expect, test } from "vitest";
import { installObstacle, obstacleIn } from "./preconditions.mjs";

const GIGABYTE = 1024 ** 3;
const withFree = (gigabytes: number) => ({ statfs: () => ({ bavail: gigabytes * GIGABYTE, bsize: 1 }) });

test("obstacleIn names a folder whose disk has less than 2 GB free", () => {
  expect(obstacleIn("/tmp", withFree(1.96))).toBe("The disk of /tmp has only 1.9 GB free: 2 GB are needed.");
  expect(obstacleIn("/tmp", withFree(0.5))).toBe("The disk of /tmp has only 0.5 GB free: 2 GB are needed.");
  expect(obstacleIn("/tmp", withFree(2))).toBeUndefined();
});

test("obstacleIn names a folder that cannot be written to, also one that is still to be made", () => {
  const access = (path: string) => {
    expect(path).toBe("/");
    throw new Error("EACCES");
  };
  expect(obstacleIn("/no-such-folder/data", { access, ...withFree(9) })).toBe(
    "/no-such-folder/data cannot be written to: run the command as a user who may, or choose another folder.",
  );
});

test.each([
  ["npm error code ENOTFOUND\nnpm error network request failed", "without a network"],
  ["npm error code EACCES\nnpm error syscall mkdir", "cannot be written to by this user"],
  ["npm error code ENOSPC", "the disk is full"],
  ["npm error The lock file is broken", "The packages cannot be installed: The lock file is broken"],
])("installObstacle says in one sentence what npm's %j means", (output, sentence) => {
  expect(installObstacle(output)).toContain(sentence);
  expect(installObstacle(output)).not.toContain("\n");
});
