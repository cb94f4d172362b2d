import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";

/** Words for a role in some sentence: they say nothing of what the thing is. */
const ROLES = ["Wanted", "Asked", "Sent", "Told", "Known", "Given", "Passed", "Tried", "Handed"];

const declared = globSync("{gateway,services,shared,scripts,test,bench}/**/*.ts", { cwd: ROOT }).flatMap((file) =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(/^(?:export )?(?:type|interface|class) (\w+)/gm)].map(
    ([, name = ""]) => ({ name, file }),
  ),
);

test("types are named for things, not for roles in a sentence", () => {
  expect(declared.length).toBeGreaterThan(500);
  const isRole = (name: string) => ROLES.some((role) => new RegExp(`${role}(?![a-z])`).test(name));
  expect(declared.filter(({ name }) => isRole(name))).toEqual([]);
});

test("sources hold none of the words that another word has replaced", () => {
  const texts = globSync("{gateway,services,shared}/**/*.ts", { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
  const others = /\bservice works?\b|\b[Mm]etres?\b|\bgone_|[a-z]Gone\b|\b[Dd]eparted/;
  expect(texts.filter(({ text }) => others.test(text)).map(({ file, text }) => [file, others.exec(text)?.[0]])).toEqual(
    [],
  );
});
