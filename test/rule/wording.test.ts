import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";

/** Rules for comments, test titles and names, so that a reader who opens one file understands it; see docs/contributing.md. */
const FILES = globSync("{gateway,services,shared,scripts,test,bench,clients,console}/**/*.{ts,tsx}", { cwd: ROOT })
  // Files of a built client are generated.
  .filter((file) => !file.endsWith(".d.ts") && !file.includes("/dist/"))
  .toSorted();

/** First words of a comment that needs the one above it, or that names neither actor nor object. */
const DEPENDENT_START =
  /^(?:Of|The same|What|Whatever|Whoever|Who|All that|All who|Those (?:that|who)|That|As|Again|Behind|Besides|So many|By (?:its|their|what|which)|From \S+(?: \S+)? on)\b/;
const NAMELESS = /\b(?:whoever|somebody|told|untold|nobody else)\b/i;
const MAX_COMMENT_LINES = 3;

/** First words of a title that does not name its subject. */
const TITLE_WITHOUT_SUBJECT =
  /^(?:it|they|its|their|of|the same|what|who|whoever|that|those|each|every|at the|by|in|as|for|%s|\$\w+)\b/i;

/** The line that has a test's title, also where its samples stand above it. */
const TITLE = /^\s*(?:\]\)\(|(?:test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*)["'`](.+?)["'`]/;
/** Names of formats and programs that are written like those of the code. */
const BRANDS = new Set(["GeoJSON", "LibreOffice", "OwnTracks"]);

/** Words of our own for things that have a name in the field or in databases. */
const PRIVATE_WORDS = /(?:^|_)(?:told|tell|untold|stretch|desk|ground|wish|wishes|knock|settle|settled|looked)(?:_|$)/;
/** Types that name a role in a sentence instead of a thing. */
const ROLES = "Wanted Asked Sent Told Known Given Passed Tried Handed Shown Found Looked Made Ground Part Run".split(
  " ",
);
/** Constants must say what they limit, and in which unit. */
const VAGUE_CONSTANTS = /^(?:MOST|LONGEST)(?:_|$)|^(?:PAGE|PARTS?|LONG|FEW|MANY)$/;
/** Irregular participles; the regular ones end in -ed. */
const PARTICIPLES =
  /^(?:told|made|kept|sent|found|given|shown|known|held|built|begun|taken|written|drawn|cut|left|[a-z]+[^e]ed)$/;
/** Participles that say of a variable neither what it is nor what it is for. */
const BARE_PARTICIPLES = /^(?:given|made|kept|named|joined)$/;
/** Verbs and nouns that end like a participle, and the name of the Workers' handler of cron triggers. */
const NO_PARTICIPLES = new Set(["embed", "shred", "seed", "speed", "feed", "scheduled"]);

type Violation = `${string}:${number} ${string}`;
type Comment = { line: number; text: string; lines: number };

test("comments can be read alone: they name their subject and have at most three lines", () => {
  expect(FILES.flatMap((file) => commentsOf(sourceOf(file)).flatMap((comment) => checkComment(file, comment)))).toEqual(
    [],
  );
});

test("test titles begin with their subject", () => {
  const titles = FILES.flatMap((file) => matchesIn(file, TITLE));
  expect(titles.length).toBeGreaterThan(1000);
  expect(titles.filter(({ name }) => TITLE_WITHOUT_SUBJECT.test(name)).map(describe)).toEqual([]);
});

test("test titles that begin with a name of the code begin with one that their file uses", () => {
  const stale = FILES.filter((file) => file.endsWith(".test.ts")).flatMap((file) => {
    const lines = sourceOf(file).split("\n");
    const code = lines.filter((line) => !TITLE.test(line)).join("\n");
    const names = new Set(code.match(/\w+/g));
    return matchesIn(file, TITLE).filter(({ name }) => {
      const [first = ""] = name.split(/\W/);
      return /[a-z][A-Z]/.test(first) && !names.has(first) && !BRANDS.has(first);
    });
  });
  expect(stale.map(describe)).toEqual([]);
});

test("types are named for things, not for roles in a sentence", () => {
  const types = FILES.flatMap((file) => matchesIn(file, /^(?:export )?(?:type|interface|(?:abstract )?class) (\w+)/));
  expect(types.length).toBeGreaterThan(500);
  expect(types.filter(({ name }) => ROLES.includes(name) || hasPrivateWord(name)).map(describe)).toEqual([]);
});

test("functions begin with a verb: none is named by a participle or by a word of ours", () => {
  const functions = FILES.flatMap((file) => [
    ...matchesIn(file, /^\s*(?:export )?(?:default )?(?:async )?function\*? (\w+)/),
    ...matchesIn(file, /^ {2}(?:override )?(?:static )?(?:async )?\*?#?(\w+)(?:<[^>]*>)?\([^)]*\)(?:: .+)? \{$/),
  ]);
  expect(functions.length).toBeGreaterThan(2000);
  const isParticiple = (name: string) => PARTICIPLES.test(name) && !NO_PARTICIPLES.has(name);
  expect(functions.filter(({ name }) => isParticiple(name) || hasPrivateWord(name)).map(describe)).toEqual([]);
});

test("constants say what they limit", () => {
  const constants = FILES.flatMap((file) => matchesIn(file, /^(?:export )?const ([A-Z][A-Z0-9_]*)\b/));
  expect(constants.length).toBeGreaterThan(300);
  const isVague = (name: string) => VAGUE_CONSTANTS.test(name) || hasPrivateWord(name);
  expect(constants.filter(({ name }) => isVague(name)).map(describe)).toEqual([]);
});

test("variables are named by no word of ours, and outside of tests by none of the participles alone", () => {
  const variables = FILES.flatMap((file) => matchesIn(file, /^\s*(?:export )?(?:const|let) (\w+)/));
  expect(variables.length).toBeGreaterThan(10_000);
  const isVague = ({ file, name }: Name) => !/\.test\.ts$|^test\//.test(file) && BARE_PARTICIPLES.test(name);
  expect(variables.filter((one) => hasPrivateWord(one.name) || isVague(one)).map(describe)).toEqual([]);
});

test("the name of a file is that of its subject", () => {
  const stems = FILES.map((file) => ({ file, stem: file.split("/").at(-1)?.split(".")[0] ?? "" }));
  const isVague = (stem: string) =>
    /^(?:tell|of|told)(?:-|$)|^(?:life|own|shown|soon|few|utils|helpers|common|misc|types)$/.test(stem) ||
    PRIVATE_WORDS.test(stem.replaceAll("-", "_"));
  expect(stems.filter(({ stem }) => isVague(stem)).map(({ file }) => file)).toEqual([]);
});

test("checkComment reports first words, nameless actors and long comments, and accepts a reason", () => {
  const offences = (source: string) => commentsOf(source).flatMap((comment) => checkComment("a.ts", comment));
  expect(offences("// What it is.\nconst a = 1;")).toEqual(["a.ts:1 first words: What it is."]);
  expect(offences("/** Stores what somebody sent. */")).toEqual(["a.ts:1 nameless actor: Stores what somebody sent."]);
  expect(offences("/**\n * One.\n * Two.\n * Three.\n * Four.\n */")).toEqual([
    "a.ts:1 4 lines: One. Two. Three. Four.",
  ]);
  expect(offences("// One.\n// Two.\n// Three.")).toEqual([]);
  expect(offences("/**\n * One.\n * Two.\n * Three.\n * Four (wording: a table of the protocol).\n */")).toEqual([]);
});

function checkComment(file: string, { line, text, lines }: Comment): Violation[] {
  // An exception gives its reason in the comment itself.
  if (/\(wording: [^)]+\)/.test(text)) return [];
  const rule = DEPENDENT_START.test(text)
    ? "first words"
    : NAMELESS.test(text)
      ? "nameless actor"
      : lines > MAX_COMMENT_LINES
        ? `${lines} lines`
        : undefined;
  return rule ? [`${file}:${line} ${rule}: ${text}`] : [];
}

/** Comments that stand on lines of their own; instructions to the linter are none. */
function commentsOf(source: string): Comment[] {
  const comments: Comment[] = [];
  for (const match of source.matchAll(
    /^[ \t]*(?:\/\*\*?([\s\S]*?)\*\/|((?:\/\/(?! biome).*(?:\n[ \t]*(?=\/\/(?! biome)))?)+))/gm,
  )) {
    const [whole, block, rows] = match;
    const parts = (block ?? rows ?? "").split("\n").map((part) => part.replace(/^\s*(?:\*|\/\/)?\s?/, "").trim());
    const text = parts.join(" ").trim();
    const offset = match.index + (/^\s*/.exec(whole)?.[0].length ?? 0);
    if (text) comments.push({ line: lineAt(source, offset), text, lines: parts.filter((part) => part !== "").length });
  }
  return comments;
}

type Name = { file: string; line: number; name: string };

/** The first group of the pattern in every line of the file that matches. */
function matchesIn(file: string, pattern: RegExp): Name[] {
  return sourceOf(file)
    .split("\n")
    .flatMap((text, index) => {
      const name = pattern.exec(text)?.[1];
      return name === undefined ? [] : [{ file, line: index + 1, name }];
    });
}

function describe({ file, line, name }: Name) {
  return `${file}:${line} ${name}`;
}

function hasPrivateWord(name: string) {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
  return PRIVATE_WORDS.test(words);
}

function lineAt(source: string, offset: number) {
  return source.slice(0, offset).split("\n").length;
}

const sources = new Map<string, string>();

function sourceOf(file: string): string {
  const source = sources.get(file) ?? readFileSync(join(ROOT, file), "utf8");
  sources.set(file, source);
  return source;
}
