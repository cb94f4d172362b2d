import type { Language } from "#shared/text/language.ts";
import type { Chart } from "../layout/chart.ts";
import type { MapAddress } from "../layout/lines.ts";
import { linesOf } from "../layout/lines.ts";
import type { Sheet } from "../layout/sheet.ts";
import { chartBlock } from "../pdf/chart.ts";
import type { FontReader } from "../pdf/fonts.ts";
import { pagesOf } from "../pdf/pages.ts";

/** `headers` are those of all sheets, for the contents; without a head neither these nor the title are shown in front. */
type Source = {
  head: { title: string; subtitle: string } | null;
  title: string;
  headers: string[];
  sheets: AsyncIterable<{ sheet: Sheet; charts: Chart[] }>;
};

/** A title page with the contents, then each sheet on pages of its own. */
export function reportPages(
  { head, title, headers, sheets }: Source,
  { language, ...ways }: { language: Language; read: FontReader; mapAddress: MapAddress },
): AsyncGenerator<Uint8Array> {
  const contents = language === "de" ? "Inhalt" : "Contents";
  async function* parts() {
    for await (const { sheet, charts } of sheets) {
      const tables = sheet.sections.map((section) => ({ lines: () => linesOf(section) }));
      yield { header: sheet.header, blocks: [...charts.map(chartBlock), ...tables] };
    }
  }
  return pagesOf({ title, language, head: head && { ...head, contents, headers }, parts: parts() }, ways);
}
