import type { RowGroup, Section, Sheet } from "../layout/sheet.ts";

/** Which rows of a report show their sources, counted through all of its sheets. */
export class SourcePage {
  #passed = 0;
  readonly #offset: number;
  readonly #limit: number;

  constructor(offset: number, limit: number) {
    this.#offset = offset;
    this.#limit = limit;
  }

  /** A group with the sources of the page: none for its rows before, so that the first may belong to a later row. */
  of({ sources = [], ...group }: RowGroup): RowGroup {
    const start = Math.max(0, this.#offset - this.#passed);
    const end = Math.max(0, this.#offset + this.#limit - this.#passed);
    this.#passed += sources.length;
    const shown = sources.slice(start, end);
    return shown.length > 0 ? { ...group, sources: shown } : group;
  }
}

/** Sheet after sheet as JSON, with the sources of the page and no others. */
export async function* explainedTexts(sheets: AsyncIterable<Sheet>, page: SourcePage): AsyncGenerator<string> {
  for await (const sheet of sheets) {
    yield JSON.stringify({ ...sheet, sections: sheet.sections.map((section) => shown(section, page)) });
  }
}

function shown(section: Section, page: SourcePage): Section {
  return section.type === "table" ? { ...section, data: section.data.map((group) => page.of(group)) } : section;
}
