import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";

/** Paths that end in no verb. */
const WITHOUT_VERB = ["/push/vapid"];

const declarations = globSync("{gateway,services}/**/*.ts", { cwd: ROOT })
  .filter((file) => !file.endsWith(".test.ts"))
  .flatMap((file) => [
    ...readFileSync(join(ROOT, file), "utf8").matchAll(/^export const (\w+) = \w+\(\s*"(\/[\w/]+)"/gm),
  ])
  .map(([, name = "", path = ""]) => ({ name, path }))
  .filter(({ path }) => !WITHOUT_VERB.includes(path));

test("the search finds the declarations of all operations", () => expect(declarations.length).toBeGreaterThan(250));

test.each(declarations)(
  "operation $path is declared as $name: the path's verb, then words of the path",
  ({ name, path }) => {
    const segments = path.toLowerCase().split("/").filter(Boolean);
    const verb = segments.at(-1)?.split("_") ?? [];
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(" ");
    expect(words[0]).toBe(verb[0]);
    expect(words).toEqual(expect.arrayContaining(verb));
    // `subuser` is two words for readers of names.
    const known = segments.join("_").replaceAll("subuser", "sub_user").replaceAll("timezone", "time_zone").split("_");
    const singular = known.map(singularOf);
    expect(words.map(singularOf).filter((word) => !singular.includes(word))).toEqual([]);
  },
);

function singularOf(word: string) {
  return word
    .replace(/ies$/, "y")
    .replace(/(s|x|ch|sh)es$/, "$1")
    .replace(/([^s])s$/, "$1");
}
