import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";
import { accountsOn } from "../tool/call/account.ts";
import { METRICS_KEY } from "../tool/system/operator.ts";
import { startSystem } from "../tool/system/system.ts";

const DASHBOARD: Dashboard = JSON.parse(readText("docs/monitoring/dashboard.json"));
const ALERTS = readText("docs/monitoring/alerts.yml");
const CHAPTER = /\n## Metrics\n.*?\n(?=## )/s.exec(readText("docs/operating.md"))?.[0] ?? "";
/** The widths of Grafana's grid. */
const COLUMNS = 24;

type Box = { x: number; y: number; w: number; h: number };
type Target = { refId: string; expr: string; datasource: { uid: string } };
type Panel = { id: number; type: string; title: string; description: string; gridPos: Box; targets: Target[] };
type Dashboard = { uid: string; title: string; schemaVersion: number; panels: Panel[] };
type Rule = { alert: string; expr: string; wait: string };

/** Labels of the samples that a system prints after some calls, by the names of their metrics. */
const printed = new Map<string, Set<string>>();
let system: Awaited<ReturnType<typeof startSystem>>;

beforeAll(async () => {
  system = await startSystem();
  const account = await accountsOn(system).newAccount();
  await account.must("/vehicle/list");
  await account.call("/vehicle/read", {});
  const answer = await fetch(`${system.origin}/metrics`, { headers: { Authorization: `Bearer ${METRICS_KEY}` } });
  for (const line of (await answer.text()).split("\n").filter((text) => text !== "" && !text.startsWith("#"))) {
    const { name = "", labels = "" } = /^(?<name>\w+)\{(?<labels>.*)\} /.exec(line)?.groups ?? {};
    const known = printed.get(name) ?? new Set();
    for (const { groups } of labels.matchAll(/(?<label>\w+)="/g)) known.add(groups?.label ?? "");
    printed.set(name, known);
  }
});

afterAll(() => system?.stop());

test("metrics that the dashboard, the alert rules and the documents name are printed by a system after some calls", () => {
  const texts = { dashboard: JSON.stringify(DASHBOARD), alerts: ALERTS, chapter: CHAPTER };
  for (const [name, text] of Object.entries(texts)) {
    // A histogram's name without its endings, and the name of the dataset.
    const named = [...text.matchAll(/\bfleet_[a-z_]+/g)].map(([metric]) => metric);
    expect(named.length, name).toBeGreaterThan(5);
    const families = [...printed.keys(), "fleet_call_seconds", "fleet_calls"];
    expect(named.filter((metric) => !families.includes(metric))).toEqual([]);
  }
});

test("metrics that a system prints are all in the table of the documents", () => {
  const families = [...printed.keys()].map((name) => name.replace(/^(fleet_call_seconds)_(?:bucket|sum|count)$/, "$1"));
  for (const family of new Set(families)) expect(CHAPTER).toMatch(new RegExp(`^\\| \`${family}\\{`, "m"));
});

test("queries of the dashboard and the alert rules name labels that their metric has", () => {
  const queries = [...DASHBOARD.panels.flatMap(({ targets }) => targets), ...listRules()].map(({ expr }) => expr);
  const matchers = queries.flatMap((expr) => [...expr.matchAll(/(?<metric>fleet_\w+)\{(?<matchers>[^}]*)\}/g)]);
  expect(matchers.length).toBeGreaterThan(2);
  for (const { groups = {} } of matchers)
    for (const [matcher] of (groups.matchers ?? "").matchAll(/\w+(?=[=!][~=]?")/g))
      expect([...(printed.get(groups.metric ?? "") ?? [])], groups.metric).toContain(matcher);
  for (const expr of queries) {
    const known = [...expr.matchAll(/fleet_\w+/g)].flatMap(([metric]) => [...(printed.get(metric) ?? [])]);
    for (const { groups } of expr.matchAll(/by \((?<labels>[^)]*)\)/g))
      for (const label of (groups?.labels ?? "").split(/,\s*/)) expect(known, expr).toContain(label);
    expect(expr.split("(").length, expr).toBe(expr.split(")").length);
  }
});

test("the dashboard has what Grafana needs to import it: ids of its own, places that do not overlap, queries", () => {
  expect(DASHBOARD).toMatchObject({ uid: expect.any(String), title: expect.any(String), schemaVersion: 39 });
  const { panels } = DASHBOARD;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  for (const { title, gridPos, targets } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(COLUMNS);
    expect(panels.filter((other) => overlap(gridPos, other.gridPos)).length, title).toBe(1);
    expect(targets.length, title).toBeGreaterThan(0);
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    // The variable of the dashboard, by which an installation chooses its Prometheus.
    for (const { datasource, expr } of targets) expect(`${datasource.uid} ${expr}`).toMatch(/^\$\{datasource\} ./);
  }
});

test("five alerts have a rule, a panel with their threshold, and a line in the documents", () => {
  const rules = listRules();
  const documented = [...CHAPTER.matchAll(/^\| `(?<alert>Fleet\w+)` \|/gm)].map(({ groups }) => groups?.alert);
  expect(rules.map(({ alert }) => alert)).toEqual(documented);
  expect(rules.length).toBe(5);
  for (const { alert, expr, wait } of rules) {
    const panel = DASHBOARD.panels.find(({ description }) => description.startsWith(`${alert}:`));
    const threshold = /> (?<value>[\d.]+)\s*$/.exec(expr)?.groups?.value;
    const line = CHAPTER.split("\n").find((text) => text.startsWith(`| \`${alert}\``)) ?? "";
    expect(line, alert).toContain(`| ${wait} |`);
    if (threshold === undefined || threshold === "0") continue;
    expect(JSON.stringify(panel), alert).toContain(`"value":${threshold}`);
    expect(line, alert).toContain(`\`> ${threshold}\``);
  }
});

/** The rules of the file, whose layout is ours. */
function listRules(): Rule[] {
  const rule =
    /- alert: (?<alert>\w+)\n +expr: (?:\|\n +)?(?<expr>.+)\n +for: (?<wait>\w+)\n +labels:\n +severity: \w+\n +annotations:\n +summary: .+\n +action: .+\n/g;
  const rules = [...ALERTS.matchAll(rule)].map(({ groups }) => groups as Rule); // all of its groups take part
  expect(rules.length).toBe(ALERTS.split("- alert:").length - 1);
  return rules;
}

function overlap(one: Box, other: Box) {
  const beside = one.x + one.w <= other.x || other.x + other.w <= one.x;
  return !beside && one.y < other.y + other.h && other.y < one.y + one.h;
}

function readText(file: string) {
  return readFileSync(join(ROOT, file), "utf8");
}
