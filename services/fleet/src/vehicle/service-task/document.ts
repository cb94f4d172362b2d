import type { Principal } from "#shared/caller/principal.ts";
import type { Cell, Column, Group, TableDocument } from "#shared/contract/file/table-document.ts";
import { type Language, languageOf } from "#shared/text/language.ts";
import { type Clock, writeLocal } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { SERVICE_TASK_STATUSES } from "../../table/vehicle/service-task.ts";
import { distanceUnitOf, roundToHundredths, toUnit } from "../../telemetry/distance-unit.ts";
import type { ServiceTask } from "./schema.ts";
import { TEXTS } from "./texts.ts";

/** In the order of a document's columns. */
export const COLUMNS = [
  "vehicle_label",
  "description",
  "creation_date",
  "status",
  "conditions",
  "mileage_remains",
  "hours_remains",
  "days_remains",
  "cost",
  "completed",
  "files",
  "comment",
] as const;
type ColumnName = (typeof COLUMNS)[number];
type DocumentOptions = { columns: readonly ColumnName[]; group_by: "vehicle" | "status" | null };

/** Renders service tasks as a table, times in the user's zone. What remains of a completed task is empty. */
export function toServiceTaskDocument(
  tasks: ServiceTask[],
  { columns, group_by }: DocumentOptions,
  { locale, measurement_system }: Pick<Principal, "locale" | "measurement_system">,
  clock: Pick<Clock, "now" | "zone">,
): TableDocument {
  const language = languageOf(locale);
  const texts = TEXTS[language];
  const unit = distanceUnitOf(measurement_system);
  const titleOf = (name: ColumnName) => (name === "mileage_remains" ? texts[name](unit.name) : texts[name]);
  const names = COLUMNS.filter((name) => columns.includes(name));
  const groupOf = (heading: string | null, members: ServiceTask[]): Group => {
    const total = names.map((name): Cell => (name === "cost" ? sumOf(members) : null));
    // The heading of the total needs a free cell.
    if (names[0] !== "cost") total[0] = texts.total;
    const rows = members.map((task) => names.map((name) => CELLS[name](task, { language, unit, clock })));
    return { heading, rows, total: names.includes("cost") ? total : undefined };
  };
  return {
    title: texts.title,
    subtitle: writeLocal(clock.now(), clock.zone),
    columns: names.map((name): Column => ({ title: titleOf(name), kind: KINDS[name] })),
    groups: groupsOf(tasks, group_by, language).map(([heading, members]) => groupOf(heading, members)),
  };
}

function groupsOf(
  tasks: ServiceTask[],
  by: DocumentOptions["group_by"],
  language: Language,
): [string | null, ServiceTask[]][] {
  if (by === null) return [[null, tasks]];
  if (by === "status") {
    const byStatus = Map.groupBy(tasks, ({ status }) => status);
    return SERVICE_TASK_STATUSES.flatMap((status) => {
      const members = byStatus.get(status);
      return members ? [[TEXTS[language].statuses[status], members] as [string, ServiceTask[]]] : [];
    });
  }
  // Grouped by id: two vehicles may have the same label.
  const byVehicle = Map.groupBy(tasks, ({ vehicle_id }) => vehicle_id);
  return [...byVehicle.values()].map((members) => [members[0]?.vehicle_label ?? "", members]);
}

type CellContext = { language: Language; unit: ReturnType<typeof distanceUnitOf>; clock: Pick<Clock, "now" | "zone"> };

const CELLS: Record<ColumnName, (task: ServiceTask, context: CellContext) => Cell> = {
  vehicle_label: ({ vehicle_label }) => vehicle_label,
  description: ({ description }) => description,
  creation_date: ({ start }, { clock }) => writeLocal(start.date, clock.zone),
  status: ({ status }, { language }) => TEXTS[language].statuses[status],
  conditions: conditionsOf,
  mileage_remains: ({ status, conditions, start, current_position }, { unit }) => {
    const left = remains(conditions.mileage?.limit, start.mileage, current_position.mileage);
    return status === "done" || left === null ? null : toUnit(left, unit);
  },
  hours_remains: ({ status, conditions, start, current_position }) =>
    status === "done"
      ? null
      : remains(conditions.engine_hours?.limit, start.engine_hours, current_position.engine_hours),
  days_remains: ({ status, conditions: { date } }, { clock }) =>
    status === "done" || !date ? null : Math.ceil((date.end - clock.now()) / DAY_MS),
  cost: ({ cost }) => cost,
  completed: ({ completion_date }, { clock }) => completion_date && writeLocal(completion_date, clock.zone),
  files: ({ file_ids }) => file_ids.length,
  comment: ({ comment }) => comment,
};

const KINDS: Record<ColumnName, Column["kind"]> = {
  vehicle_label: "text",
  description: "text",
  creation_date: "short",
  status: "short",
  conditions: "text",
  mileage_remains: "number",
  hours_remains: "number",
  days_remains: "number",
  cost: "number",
  completed: "short",
  files: "number",
  comment: "text",
};

function conditionsOf(
  { conditions: { mileage, engine_hours, date } }: ServiceTask,
  { language, unit, clock }: CellContext,
) {
  const texts = TEXTS[language];
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const parts = [
    mileage && texts.after(numbers.format(toUnit(mileage.limit, unit)), unit.name),
    engine_hours && texts.after(numbers.format(engine_hours.limit), "h"),
    date && texts.at(writeLocal(date.end, clock.zone)),
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** The remaining kilometers or hours; negative once the limit is exceeded. */
function remains(limit: number | undefined, start: number | null, now: number | null) {
  if (limit === undefined || start === null || now === null) return null;
  return roundToHundredths(start + limit - now);
}

function sumOf(tasks: ServiceTask[]) {
  return roundToHundredths(tasks.reduce((sum, { cost }) => sum + cost, 0));
}
