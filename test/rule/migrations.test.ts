import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { migrationsOf, ROOT, WORKERS } from "../../scripts/workers.ts";

/** Migrations of which the first release will be made; later ones only add. */
const BASELINE = [
  ...["gateway/0000_tables", "gateway/0001_first_rows_and_triggers"],
  ...["fleet/0000_tables", "fleet/0001_triggers_and_text_indexes"],
  ...["tasks/0000_tables", "tasks/0001_triggers_and_text_index"],
  ...["geo/0000_tables", "geo/0001_triggers_and_text_index"],
  ...["files/0000_tables", "reports/0000_tables"],
];

/** Released versions: the headings of the changelog. */
const RELEASES = [...readFileSync(join(ROOT, "docs", "changelog.md"), "utf8").matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(
  ([, version = ""]) => version,
);

test("migrations after the baseline only add, so that the previous release works with their tables", () => {
  const migrations = WORKERS.flatMap((worker) =>
    globSync("*.sql", { cwd: migrationsOf(worker) }).map((file) => ({
      name: `${worker}/${basename(file, ".sql")}`,
      sql: readFileSync(join(migrationsOf(worker), file), "utf8"),
    })),
  );
  const names = migrations.map(({ name }) => name);
  expect(BASELINE.filter((name) => !names.includes(name))).toEqual([]);
  const later = migrations.filter(({ name }) => !BASELINE.includes(name));
  expect(
    later.flatMap(({ name, sql }) => findRemovals(sql, RELEASES).map((statement) => `${name}: ${statement}`)),
  ).toEqual([]);
});

test.each([
  "DROP TABLE `vehicle`;",
  "drop index vehicle_label;",
  "ALTER TABLE `vehicle` DROP COLUMN `label`;",
  "ALTER TABLE `vehicle` RENAME TO `car`;",
  "ALTER TABLE vehicle RENAME COLUMN label TO name;",
  "ALTER TABLE vehicle ADD COLUMN label TEXT NOT NULL;",
  "CREATE UNIQUE INDEX `vehicle_label` ON `vehicle` (`label`);",
  "CREATE TABLE `__new_vehicle` (`id` integer);",
  "DELETE FROM vehicle;",
  "-- unused since 9.0.0\nDROP TABLE `vehicle`;",
])("the rule refuses %j in a migration", (sql) => {
  expect(findRemovals(sql, ["1.0.0"])).toHaveLength(1);
});

test("the rule accepts additions, and the removal of a thing that a released version no longer uses", () => {
  const sql = [
    "ALTER TABLE `vehicle` ADD `color` text;",
    "ALTER TABLE `vehicle` ADD `rows` integer DEFAULT 0 NOT NULL;",
    "CREATE TABLE `door` (`id` integer PRIMARY KEY NOT NULL, `vehicle_id` integer NOT NULL);",
    "CREATE UNIQUE INDEX `door_vehicle` ON `door` (`vehicle_id`);",
    "CREATE INDEX `vehicle_color` ON `vehicle` (`color`);",
    "CREATE TRIGGER `door_delete` AFTER DELETE ON `vehicle` BEGIN DELETE FROM door WHERE vehicle_id = old.id; END;",
    "UPDATE vehicle SET color = 'red';",
    "-- unused since 1.0.0\nALTER TABLE `vehicle` DROP COLUMN `paint`;",
  ];
  expect(findRemovals(sql.join("\n--> statement-breakpoint\n"), ["1.0.0"])).toEqual([]);
});

/** Statements by which a Worker of the previous release could fail, unless a comment names the release since which nothing needs the thing. */
function findRemovals(sql: string, releases: string[]): string[] {
  return sql
    .split("--> statement-breakpoint")
    .map((statement) => statement.trim())
    .filter((statement) => {
      const since = /^-- unused since (?<version>\S+)$/m.exec(statement)?.groups?.version ?? "";
      const plain = statement.replace(/^--.*$/gm, "").trim();
      return REMOVALS.some((removal) => removal.test(plain)) || isNewDuty(plain, sql)
        ? !releases.includes(since)
        : false;
    });
}

const REMOVALS = [
  /^DROP\b/i,
  /^ALTER\s+TABLE\s+\S+\s+(?:DROP|RENAME)\b/i,
  /^ALTER\s+TABLE\s+\S+\s+ADD\s(?!.*\bDEFAULT\b).*\bNOT\s+NULL\b/is,
  // The rebuilding of a table, as drizzle-kit generates it.
  /^CREATE\s+TABLE\s+`?__new_/i,
  /^DELETE\b/i,
];

/** A unique index on a table of an earlier migration refuses rows that the previous release writes. */
function isNewDuty(statement: string, migration: string) {
  const table = /^CREATE\s+UNIQUE\s+INDEX\s+\S+\s+ON\s+[`"]?(?<table>\w+)/i.exec(statement)?.groups?.table ?? "";
  return table !== "" && !new RegExp(`CREATE\\s+TABLE\\s+[\`"]?${table}\\b`, "i").test(migration);
}
