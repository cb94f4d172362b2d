import { MAX_ROWS } from "#shared/contract/file/table-document.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Section, Sheet } from "../layout/sheet.ts";

/** The size of a file; `limits` contains one per format, as JSON. */
type DocumentSize = { cells: number; characters: number };

/**
 * Counts the cells, characters and rows of a file that is laid out as a whole. Throws 267 as soon as they exceed the
 * limits.
 */
export class SizeGuard {
  readonly #limit: DocumentSize;
  readonly #size: DocumentSize = { cells: 0, characters: 0 };
  #rows = 0;

  constructor(limits: string, format: "pdf" | "xls") {
    this.#limit = (JSON.parse(limits) as Record<typeof format, DocumentSize>)[format];
  }

  add({ sections }: Sheet) {
    for (const section of sections) this.#addSection(section);
    if (this.#rows > MAX_ROWS) throw tooLongError(`${MAX_ROWS} rows`);
    const { cells, characters } = this.#limit;
    if (this.#size.cells > cells || this.#size.characters > characters)
      throw tooLongError(`${cells} cells with ${characters} characters`);
  }

  #addSection(section: Section) {
    if (section.type === "text") return this.#count([section.text]);
    if (section.type === "map_table") return this.#count(section.rows.flatMap(({ name, v }) => [name, v]));
    for (const { rows, header } of section.data) {
      this.#rows += rows.length;
      this.#count([header, ...section.columns.map(({ title }) => title)]);
      for (const row of rows) this.#count(Object.values(row).map(({ v }) => v));
    }
  }

  #count(texts: string[]) {
    this.#size.cells += texts.length;
    for (const text of texts) this.#size.characters += text.length;
  }
}

function tooLongError(limit: string) {
  const error = `takes at most ${limit}; ask for fewer things or a shorter range`;
  return new ApiError(267, { errors: [{ parameter: "format", error }] });
}
