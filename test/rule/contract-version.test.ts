import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { configOf, ROOT, WORKERS } from "../../scripts/workers.ts";
import { CONTRACT_VERSION } from "../../shared/operation/contract-version.ts";

test("service bindings of each wrangler.toml show the contract version of the code", () => {
  const bindings = WORKERS.flatMap((worker) => {
    const config = readFileSync(configOf(worker), "utf8");
    return [...config.matchAll(/^\[\[(?:env\.[\w-]+\.)?services\]\]\n(?:[^[\n].*\n?)*/gm)].map(([text]) => ({
      file: relative(ROOT, configOf(worker)),
      text,
    }));
  });
  expect(bindings.length).toBeGreaterThan(20);
  const props = `\nprops = { contract = ${CONTRACT_VERSION} }\n`;
  expect(bindings.filter(({ text }) => !text.includes(props))).toEqual([]);
});

test("entrypoints for other Workers check the contract version of its callers", () => {
  const sources = globSync("{gateway,services/*}/src/**/*.ts", { cwd: ROOT });
  expect(sources.length).toBeGreaterThan(400);
  const unchecked = sources.filter((file) => /\bWorkerEntrypoint\b/.test(readFileSync(join(ROOT, file), "utf8")));
  expect(unchecked).toEqual([]);
});
