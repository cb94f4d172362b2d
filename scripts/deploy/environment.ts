import { createHash } from "node:crypto";

/** Tables that an environment of wrangler inherits from the top of the file; it has to repeat all others. */
const INHERITED_TABLES = ["triggers", "assets", "limits", "placement", "observability", "migrations", "build", "dev"];
/** Names in them that would lead to another environment. */
const NAMED_THINGS = /^(service|bucket_name|queue) = "fleet-(.+)"$/;

/** A table of a TOML file: the comment above its header, the header, and the lines up to the next table. */
type Table = { comment: string[]; header: string; path: string[]; lines: string[] };

/** The sentence for an environment that lacks something that was added at the top of one of the files. */
export function outdatedEnvironment(tomls: string[], name: string): string[] {
  if (!name || tomls.every((toml) => withEnvironment(toml, name) === toml)) return [];
  return [
    `The environment ${name} lacks changes of the production: bring it up to date with \`npm run environment ${name}\`.`,
  ];
}

/** Throws for a name that could not be part of the names of Workers and buckets. */
export function requireEnvironmentName(name: string): void {
  if (!/^(?!production$)[a-z][a-z0-9]{0,19}$/.test(name))
    throw new Error(
      `"${name}" is no name of an environment: take up to 20 small letters and digits, a letter first (production is the top of each file).`,
    );
}

/**
 * The wrangler.toml with its environment of that name written anew: the tables of the top with the environment's own names.
 * Values of [vars] that the environment has already stay as they are, and so do lines of `[env.<name>]`, such as routes.
 */
export function withEnvironment(toml: string, name: string): string {
  requireEnvironmentName(name);
  const tables = tablesOf(toml);
  const isOfEnvironment = ({ path }: Table) => path[0] === "env" && path[1] === name;
  const earlier = tables.filter(isOfEnvironment);
  const others = tables.filter((table) => !isOfEnvironment(table));
  const repeated = others.filter(({ path: [name] }) => name && name !== "env" && !INHERITED_TABLES.includes(name));
  const worker = /^name = "fleet-(.+)"$/m.exec(toml)?.[1] ?? "";
  const ownLines = earlier.find(({ path }) => path.length === 2)?.lines.filter((line) => isSetting(line)) ?? [];
  const first = [
    `# Environment ${name}, written by \`npm run environment ${name}\`: the tables that it does not inherit.`,
    `[env.${name}]`,
    `name = "fleet-${name}-${worker}"`,
    ...ownLines.filter((line) => !line.startsWith("name = ")),
  ];
  const sections = repeated.map(({ header, path, lines }) => {
    const present = earlier.find((table) => table.path.slice(2).join(".") === path.join("."))?.lines ?? [];
    const settings = lines.filter(isSetting).map((line) => {
      return path[0] === "vars" ? keepValue(line, present) : renameThing(line, name);
    });
    return [header.replace(path.join("."), `env.${name}.${path.join(".")}`), ...settings];
  });
  const remaining = others.map(({ comment, header, lines }) => [...comment, ...(header ? [header] : []), ...lines]);
  return `${[...remaining, first, ...sections].map((lines) => lines.join("\n").trim()).join("\n\n")}\n`;
}

function tablesOf(toml: string): Table[] {
  let table: Table = { comment: [], header: "", path: [], lines: [] };
  const tables = [table];
  for (const line of toml.trimEnd().split("\n")) {
    const path = /^\[{1,2}([^\][]+)\]{1,2}$/.exec(line)?.[1];
    if (!path) {
      table.lines.push(line);
      continue;
    }
    const last = table.lines.findLastIndex((one) => !one.startsWith("#"));
    table = { comment: table.lines.splice(last + 1), header: line, path: path.split("."), lines: [] };
    tables.push(table);
  }
  return tables;
}

function isSetting(line: string) {
  return line !== "" && !line.startsWith("#");
}

function keepValue(line: string, present: string[]) {
  const [key = ""] = line.split(" = ");
  return present.find((one) => one.startsWith(`${key} = `)) ?? line;
}

function renameThing(line: string, environment: string) {
  const counter = /^namespace_id = "(\d+)"$/.exec(line)?.[1];
  if (counter) return `namespace_id = "${counterOf(environment)}${counter}"`;
  return line.replace(NAMED_THINGS, `$1 = "fleet-${environment}-$2"`);
}

/** Counters of rates belong to an account and are named by numbers: each environment has a range of its own. */
function counterOf(environment: string) {
  return 10_000 + (createHash("sha256").update(environment).digest().readUInt16BE() % 90_000);
}
