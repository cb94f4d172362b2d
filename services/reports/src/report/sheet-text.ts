import type { Row, RowGroup, Rows, Section, Sheet } from "../layout/sheet.ts";

/** Writes a sheet as JSON with each table row on its own line; nothing else contains line breaks. */
export function serializeSheet({ sections, ...head }: Sheet): string {
  return `${toOpening(head)},"sections":[${sections.map(serializeSection).join(",")}]}`;
}

/** Parses such a text, but leaves rows as text until they are read: as objects they take four times the memory. */
export function parseSheet(text: string): Sheet {
  const lazyRows: LazyRows[] = [];
  let frame = "";
  let passed = 0;
  for (let start = text.indexOf("\n"); start >= 0; start = text.indexOf("\n", passed)) {
    // Without rows, the end is on the next line.
    const end = text.startsWith("\n]", start) ? start : text.indexOf("\n]", start + 1);
    lazyRows.push(new LazyRows(text, start + 1, end));
    frame += text.slice(passed, start);
    passed = end + 1;
  }
  const sheet = JSON.parse(frame + text.slice(passed)) as Sheet; // as it was written above
  let index = 0;
  for (const section of sheet.sections) {
    if (section.type === "table") for (const group of section.data) group.rows = lazyRows[index++] ?? group.rows;
  }
  return sheet;
}

class LazyRows implements Rows {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  readonly length: number;

  /** Spans the first row's beginning to the last row's end. */
  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    let length = 0;
    for (let at = start; at > 0 && at < end; at = text.indexOf("\n", at) + 1) length++;
    this.length = length;
  }

  *[Symbol.iterator](): Generator<Row> {
    for (const line of this.#lines()) yield JSON.parse(line) as Row; // as it was written above
  }

  slice(from: number, to: number): Row[] {
    const rows: Row[] = [];
    let index = 0;
    for (const line of this.#lines()) {
      if (index >= to) break;
      if (index++ >= from) rows.push(JSON.parse(line) as Row);
    }
    return rows;
  }

  toString() {
    return this.#text.slice(this.#start, this.#end);
  }

  *#lines(): Generator<string> {
    for (let at = this.#start; at < this.#end; ) {
      const next = this.#text.indexOf("\n", at);
      // A comma ends each row but the last.
      yield this.#text.slice(at, next < this.#end ? next - 1 : this.#end);
      at = next + 1;
    }
  }
}

function serializeSection(section: Section): string {
  if (section.type !== "table") return JSON.stringify(section);
  const { data, ...head } = section;
  return `${toOpening(head)},"data":[${data.map(serializeGroup).join(",")}]}`;
}

function serializeGroup({ rows, ...head }: RowGroup): string {
  const lines = rows instanceof LazyRows ? rows.toString() : serializeRows(rows);
  return `${toOpening(head)},"rows":[\n${lines}${lines === "" ? "" : "\n"}]}`;
}

function serializeRows(rows: Rows): string {
  let lines = "";
  for (const row of rows) lines += lines === "" ? JSON.stringify(row) : `,\n${JSON.stringify(row)}`;
  return lines;
}

/** The JSON of an object without its closing brace, so that members can be appended. */
function toOpening(head: object) {
  return JSON.stringify(head).slice(0, -1);
}
