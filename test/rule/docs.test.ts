import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";

const TEXTS = globSync("{README.md,docs/**/*.md,gateway/README.md,services/*/README.md}", { cwd: ROOT });
const MAX_LINES_PER_CHAPTER = 120;

test("documents name only files and folders that exist", () => {
  const paths = TEXTS.flatMap((file) =>
    [...read(file).matchAll(/`((?:gateway|services|shared|scripts|test|bench|docs)\/[\w./-]*)`/g)].map(
      ([, path = ""]) => ({
        file,
        path,
      }),
    ),
  );
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("links of documents lead to files that exist", () => {
  const links = TEXTS.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = ""]) => ({ file, path })),
  );
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(({ file, path }) => !existsSync(join(ROOT, dirname(file), path)))).toEqual([]);
});

test("a chapter of docs/system has at most 120 lines", () => {
  const chapters = TEXTS.filter((file) => file.startsWith("docs/system/"));
  expect(chapters.length).toBeGreaterThan(5);
  expect(chapters.filter((file) => read(file).split("\n").length > MAX_LINES_PER_CHAPTER)).toEqual([]);
});

function read(file: string) {
  return readFileSync(join(ROOT, file), "utf8");
}
