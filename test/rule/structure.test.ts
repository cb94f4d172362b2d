import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type ImportGraph as Graph, importGraph } from "../../scripts/import-graph.ts";
import { foldersOf, layoutSection, writtenSection } from "../../scripts/layout.ts";
import { ROOT } from "../../scripts/workers.ts";

/** The source folders of the Workers, and that of the code that they share. */
const SOURCES = ["gateway/src", ...globSync("services/*/src", { cwd: ROOT }), "shared"];

/** All files that are no tests: the product, and the programs that start, measure and try it. */
const TREE: Graph = new Map(
  [...importGraph("{gateway,services,shared,scripts,bench,test}/**/*.ts")].filter(
    ([file]) => !/\.test(-d)?\.ts$/.test(file),
  ),
);
/** The product alone. */
const FILES: Graph = new Map([...TREE].filter(([file]) => /^(gateway|services|shared)\//.test(file)));

/** The programs around the product, lowest first: each imports the product, itself and those below alone. */
const PROGRAMS = ["scripts", "test/tool", "bench", "test/campaign"];
/** The subjects of test/. */
const SUBJECTS = "account campaign client console fault fixtures limit live reports rule storage tool work".split(" ");
const MAX_FILES_PER_FOLDER = 20;
const MAX_FOLDERS_PER_WORKER = 16;

test("no two files of the whole tree import each other, however far around", () => {
  expect(circleIn(TREE)).toEqual([]);
});

test("scripts, test/tool, bench and test/campaign import in this direction alone, and the product imports none of them", () => {
  const programOf = (file: string) => PROGRAMS.findIndex((program) => file.startsWith(`${program}/`));
  const upwards = [...TREE].flatMap(([file, imports]) =>
    [...imports]
      .filter((imported) => programOf(imported) > programOf(file))
      .map((imported) => `${file} -> ${imported}`),
  );
  expect(upwards).toEqual([]);
});

test("the tree has no file, tests aside, that belongs neither to the product nor to a program", () => {
  const outside = [...TREE.keys()].filter(
    (file) => !/^(gateway|services|shared)\//.test(file) && !PROGRAMS.some((program) => file.startsWith(`${program}/`)),
  );
  expect(outside).toEqual([]);
});

test("the console imports itself and the client for TypeScript alone, and its folders have at most 20 files", () => {
  const files = importGraph("console/src/**/*.{ts,tsx}");
  const foreign = [...files].flatMap(([file, imports]) =>
    [...imports]
      .filter((imported) => !/^(?:console|clients\/typescript)\/src\//.test(imported))
      .map((imported) => `${file} -> ${imported}`),
  );
  expect(files.size).toBeGreaterThan(30);
  expect(foreign).toEqual([]);
  const folders = Map.groupBy(files.keys(), dirname);
  expect([...folders].filter(([, names]) => names.length > MAX_FILES_PER_FOLDER).map(([folder]) => folder)).toEqual([]);
});

test("test/ holds folders alone, one a subject", () => {
  expect(readdirSync(join(ROOT, "test")).toSorted()).toEqual(SUBJECTS.toSorted());
});

test("no folder of the tree has more than 20 files, tests not counted", () => {
  const counts = new Map<string, number>();
  for (const file of TREE.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MAX_FILES_PER_FOLDER)).toEqual([]);
});

test.each(SOURCES.filter((source) => source !== "shared"))("%s has at most 16 folders", (source) => {
  expect(foldersOf(source).length).toBeLessThanOrEqual(MAX_FOLDERS_PER_WORKER);
});

test("a file of shared/ serves at least two Workers, or a Worker and a program", () => {
  const servedBy = new Map<string, Set<string>>();
  for (const file of TREE.keys()) {
    if (file.startsWith("shared/")) continue;
    for (const reached of reachedFrom(file))
      servedBy.set(reached, (servedBy.get(reached) ?? new Set()).add(userOf(file)));
  }
  // The conditions of package.json's imports lead to it.
  const lonely = [...FILES.keys()].filter((file) => file.startsWith("shared/") && !file.endsWith(".node.ts"));
  expect(lonely.filter((file) => (servedBy.get(file)?.size ?? 0) < 2)).toEqual([]);
});

test("the layout in docs/contributing.md is that of the tree; npm run layout writes it", () => {
  expect(writtenSection()).toBe(layoutSection());
});

test.each(SOURCES)("no two folders of %s import each other, however far around", (source) => {
  expect(circleIn(graphOf(source, dirname))).toEqual([]);
});

test.each(SOURCES)("no two contexts of %s import each other, however far around", (source) => {
  expect(circleIn(graphOf(source, (file) => file.slice(source.length + 1).split("/")[0] ?? ""))).toEqual([]);
});

test("a source folder imports from itself and from lower layers alone", () => {
  const upwards = [...FILES].flatMap(([file, imports]) =>
    [...imports]
      .filter((imported) => layerOf(imported) >= layerOf(file) && sourceOf(imported) !== sourceOf(file))
      .map((imported) => `${file} -> ${imported}`),
  );
  expect(upwards).toEqual([]);
});

test.each(SOURCES.filter((source) => source !== "shared"))("tables of %s import nothing else of it", (source) => {
  const others = [...FILES]
    .filter(([file]) => file.startsWith(`${source}/table/`))
    .flatMap(([file, imports]) =>
      [...imports]
        .filter((imported) => imported.startsWith(`${source}/`) && !imported.startsWith(`${source}/table/`))
        .map((imported) => `${file} -> ${imported}`),
    );
  expect(others).toEqual([]);
});

test("nobody imports another context's operations", () => {
  const imported = [...FILES].flatMap(([file, imports]) =>
    [...imports]
      .filter(
        (target) =>
          /\/src\/.+\/operations\.ts$/.test(target) && !/^(gateway|services\/\w+)\/src\/[\w-]+\.ts$/.test(file),
      )
      .filter((target) => !file.endsWith("/operations.ts") || !dirname(target).startsWith(`${dirname(file)}/`))
      .map((target) => `${file} -> ${target}`),
  );
  expect(imported).toEqual([]);
});

test("destructured arrays skip no positions, because results have names", () => {
  const files = globSync("{gateway,services,shared,scripts,test,bench}/**/*.ts", { cwd: ROOT });
  const holes = /(?:const|let|for \(const) \[(?:\s*,|[^\]=]*,\s*,)/;
  expect(files.filter((file) => holes.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});

test("error messages are matched in shared/error/failure.ts alone", () => {
  const matches =
    /UNIQUE constraint|database is locked|malformed JSON|\.message\.(?:includes|match|startsWith|endsWith|search)\(|\.(?:test|exec)\(\w+\.message\)|(?:rr\w*|thrown|cause|root)\.message [!=]==/;
  const files = [...FILES.keys()].filter((file) => file !== "shared/error/failure.ts");
  expect(files.filter((file) => matches.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});

test("the search for circles finds one and names it", () => {
  const graph: Graph = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c"])],
    ["c", new Set(["d", "b"])],
    ["d", new Set()],
  ]);
  expect(circleIn(graph)).toEqual(["b", "c", "b"]);
});

/** The files of shared/ that the file imports, directly or by another file of shared/. */
function reachedFrom(file: string): Set<string> {
  const reached = new Set([...(TREE.get(file) ?? [])].filter((imported) => imported.startsWith("shared/")));
  for (const next of reached) for (const imported of TREE.get(next) ?? []) reached.add(imported);
  return reached;
}

/** The Worker that the file belongs to, or the program. */
function userOf(file: string): string {
  return /^(?:gateway|services\/\w+|scripts|bench|test)/.exec(file)?.[0] ?? file;
}

/** The imports between the groups that `keyOf` puts the files of a source folder into, without those that lie at its top. */
function graphOf(source: string, keyOf: (file: string) => string): Graph {
  const graph: Graph = new Map();
  for (const [file, imports] of FILES) {
    if (!isInside(source, file)) continue;
    const from = keyOf(file);
    const to = [...imports].filter((imported) => isInside(source, imported)).map(keyOf);
    graph.set(from, new Set([...(graph.get(from) ?? []), ...to.filter((key) => key !== from)]));
  }
  return graph;
}

function isInside(source: string, file: string) {
  return file.startsWith(`${source}/`) && file.slice(source.length + 1).includes("/");
}

/** The first circle that there is, from one of its members around to the same; empty: there is none. */
function circleIn(graph: Graph): string[] {
  const visited = new Set<string>();
  for (const start of graph.keys()) {
    const circle = circleFrom(graph, start, [], visited);
    if (circle) return circle;
  }
  return [];
}

function circleFrom(graph: Graph, at: string, path: string[], visited: Set<string>): string[] | undefined {
  if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
  if (visited.has(at)) return undefined;
  for (const next of graph.get(at) ?? []) {
    const circle = circleFrom(graph, next, [...path, at], visited);
    if (circle) return circle;
  }
  visited.add(at);
  return undefined;
}

/** The layer of a file, counted from the lowest: shared code has five, and the Workers stand above them. */
function layerOf(file: string): number {
  if (/^shared\/(batch|document|sync|ticket-file)\//.test(file)) return 4;
  if (file.startsWith("shared/contract/")) return 3;
  if (file.startsWith("shared/operation/")) return 2;
  if (file.startsWith("shared/database/")) return 1;
  return file.startsWith("shared/") ? 0 : 5;
}

/** The folder whose files may import each other as long as there is no circle. */
function sourceOf(file: string): string {
  if (layerOf(file) === 0) return "shared";
  const [first = "", second = ""] = file.split("/");
  return first === "gateway" ? first : `${first}/${second}`;
}
