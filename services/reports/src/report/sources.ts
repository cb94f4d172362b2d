import type { Row, RowGroup, RowSources, Section, Sheet, Source } from "../layout/sheet.ts";
import { sourceOf } from "../layout/source.ts";
import { serializeSheet } from "./sheet-text.ts";

/** The evidence of the rows and of the total, for each group of a table or for a list. Stored as JSON. */
export type SectionSources = { rows: RowSources; total?: Source | undefined }[];

/** The evidence of a section, which is stored apart from it. */
export function sourcesOf(section: Section): SectionSources {
  if (section.type === "text") return [];
  if (section.type === "map_table") return [{ rows: section.rows.flatMap(({ source }) => source ?? []) }];
  return section.data.map(({ sources = [], total, total_source }) => ({
    rows: sources,
    ...(total && { total: total_source }),
  }));
}

export function withoutSources(section: Section): Section {
  if (section.type === "text") return section;
  if (section.type === "map_table") return { ...section, rows: section.rows.map(({ source, ...value }) => value) };
  return { ...section, data: section.data.map(({ sources, total_source, ...group }) => group) };
}

/** Selects a page of evidence, counted through all sheets of a report: rows, totals, and values of lists. */
export class SourcePage {
  #passed = 0;
  readonly #offset: number;
  readonly #limit: number;

  constructor(offset: number, limit: number) {
    this.#offset = offset;
    this.#limit = limit;
  }

  /** Adds the evidence of this page to a section without any. */
  addSources(section: Section, stored: SectionSources): Section {
    if (section.type === "text") return section;
    if (section.type === "table") {
      return { ...section, data: section.data.map((group, index) => this.#ofGroup(group, stored[index])) };
    }
    const [{ rows: sources } = NO_SOURCES] = stored;
    const { start, end } = this.#next(section.rows.length);
    const isShown = (index: number) => index >= start && index < end;
    const sourceAt = (index: number) => (Array.isArray(sources) && isShown(index) ? sources[index] : undefined);
    const rows = section.rows.map((value, index) => ({ ...value, source: sourceAt(index) }));
    return { ...section, rows };
  }

  /** Rows before the page get none, so the first evidence may belong to a later row. */
  #ofGroup(group: RowGroup, { rows, total } = NO_SOURCES): RowGroup {
    const { start, end } = this.#next(group.rows.length);
    const shown = Array.isArray(rows)
      ? rows.slice(start, end)
      : group.rows.slice(start, end).map((row) => sourceOfPoint(row, rows.point));
    const below = total ? this.#next(1) : { start: 0, end: 0 };
    const hasTotal = below.end > below.start;
    return { ...group, ...(shown.length > 0 && { sources: shown }), ...(hasTotal && { total_source: total }) };
  }

  /** The range of the next `count` values that is on the page. */
  #next(count: number) {
    const start = Math.min(count, Math.max(0, this.#offset - this.#passed));
    const end = Math.min(count, Math.max(0, this.#offset + this.#limit - this.#passed));
    this.#passed += count;
    return { start, end };
  }
}

type ExplainedSheet = { sheet: Sheet; sources: SectionSources[] };

/** The sheets as JSON, with the evidence of this page only. */
export async function* serializeExplained(
  sheets: AsyncIterable<ExplainedSheet>,
  page: SourcePage,
): AsyncGenerator<string> {
  for await (const { sheet, sources } of sheets) {
    const sections = sheet.sections.map((section, index) => page.addSources(section, sources[index] ?? []));
    yield serializeSheet({ ...sheet, sections });
  }
}

function sourceOfPoint(row: Row, field: string): Source {
  const { raw: time = 0, location } = row[field] ?? {};
  return sourceOf({ from: time, points: [location ? { time, ...location } : null] });
}

const NO_SOURCES: SectionSources[number] = { rows: [] };
