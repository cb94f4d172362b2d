import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { STEPS_PER_SLICE, WorkBudget } from "#shared/background/work-budget.ts";
import type { Position } from "#shared/geometry/position.ts";
import { readTestFont } from "#test/tool/document/fonts.ts";
import { fontNamesOf, linksOf, pagesOf, pathsIn } from "#test/tool/document/pdf.ts";
import { hasPrograms } from "#test/tool/document/programs.ts";
import { effort } from "#test/tool/effort.ts";
import { type Chart, createBarChart, createLineChart, Trace } from "../layout/chart.ts";
import type { Sheet } from "../layout/sheet.ts";
import { createWriter, toColumn } from "../layout/writer.ts";
import { toReportDocument } from "../report/document.ts";
import { streamPages as writtenPages } from "./pages.ts";

const WRITER = createWriter({ zone: "UTC", language: "en", measurement_system: "metric", show_seconds: false });
const HEAD = { title: "Trips", subtitle: "in May" };
const PLACE = { lat: 50.5, lng: 8.25, address: "Dock Road" };
const COLUMNS = [
  toColumn("name", "Name", { isText: true }),
  toColumn("place", "Where", { isText: true }),
  toColumn("way", "Way,\nkm"),
];

function sheetOf(header: string, names: string[]): Sheet {
  const rows = names.map((name, index) => ({
    ...{ name: WRITER.text(name), place: WRITER.address(PLACE), way: WRITER.distance(index) },
  }));
  const total = { text: "In total:", way: WRITER.distance(names.length) };
  const data = names.length > 0 ? [{ header: `Day : ${names.length}`, rows, total }] : [];
  const table = { type: "table" as const, header: "Table", column_groups: [] as [], columns: COLUMNS, data };
  return { header, entity_ids: [1], additional_field: "", sections: [table] };
}

/** Renders a file, and lists the fonts that it read. */
async function madeOf(sheets: Sheet[], head: typeof HEAD | null = HEAD, charts: Chart[] = [], budget?: WorkBudget) {
  const read: string[] = [];
  const pieces: Uint8Array[] = [];
  async function* all() {
    // Rendering removes the sections from their sheet, so each test gets a copy.
    for (const sheet of structuredClone(sheets)) yield { sheet, charts };
  }
  const ways = {
    headers: sheets.map(({ header }) => header),
    read(file: string) {
      read.push(file);
      return readTestFont(file);
    },
  };
  const mapAddress = ({ lat, lng }: Position) => `https://map.example/${lat}/${lng}`;
  const document = toReportDocument({ head, title: "Trips", sheets: all() }, { writer: WRITER, mapAddress });
  for await (const piece of writtenPages(document, ways, budget)) pieces.push(piece);
  const pdf = Buffer.concat(pieces);
  return { pdf, pages: pagesOf(pdf), read, pieces: pieces.length };
}

function toNumberedLines(count: number) {
  return Array.from({ length: count }, (_, index) => `Row ${index + 1}.`);
}

test("a PDF's title page names the sheets with their pages and links to them, and a headless PDF has no title page", async () => {
  const sheets = [sheetOf("Van", toNumberedLines(60)), sheetOf("Truck", toNumberedLines(2))];
  const { pdf, pages } = await madeOf(sheets);
  expect(pages).toHaveLength(4);
  expect(pages[0]?.split("\n")).toEqual([" / 4", "2", "4", "1", "Trips", "in May", "Contents", "Van", "Truck"]);
  expect(pages[3]?.split("\n").slice(0, 3)).toEqual([" / 4", "4", "Truck"]);
  expect(linksOf(pdf).slice(0, 2)).toEqual(["part-0", "part-1"]);
  expect(linksOf(pdf)).toContain("https://map.example/50.5/8.25");
  const headless = await madeOf(sheets, null);
  expect(headless.pages).toHaveLength(3);
  expect(headless.pages.join("\n")).not.toMatch(/Trips|Contents/);
  expect(headless.pages[0]?.split("\n").slice(0, 3)).toEqual([" / 3", "1", "Van"]);
  expect((await madeOf([], null)).pages).toHaveLength(1);
});

test("a PDF repeats the titles on each page, has each row once and whole, and the total below", async () => {
  const names = toNumberedLines(100).map((name) => `${name}\nof two lines`);
  const { pages } = await madeOf([sheetOf("Van", names)], null);
  expect(pages.length).toBeGreaterThan(4);
  for (const page of pages) {
    expect(page.match(/^Name\nWhere\nWay,\nkm$/m)).not.toBeNull();
    expect(page.match(/^Row \d+\.$/gm)?.length).toBe(page.match(/^of two lines$/gm)?.length);
  }
  expect(pages.join("\n").match(/Row \d+\./g)).toEqual(toNumberedLines(100));
  expect(pages.at(-1)).toMatch(/In total:\n100$/);
});

test("a PDF continues a cell longer than a page on the next one, and loses nothing", async () => {
  const long = toNumberedLines(4000).join(" ");
  const { pages } = await madeOf([sheetOf("Van", [long, `${"x".repeat(1000)}y`])], null);
  expect(pages.length).toBeGreaterThan(3);
  const text = pages.join("\n").replaceAll("\n", " ");
  expect(text.match(/\d+\./g)).toEqual(toNumberedLines(4000).map((name) => name.slice(4)));
  expect(text.match(/x/g)).toHaveLength(1000);
});

const NAMES = {
  "NotoSans-Regular": ["Straße Žižkov", "Οδός Αθηνών", "улица Ленина"],
  NotoNaskhArabic: ["شارع"],
  NotoSansHebrew: ["רחוב"],
  "NotoSansHans-Regular": ["北京市货车", "東京アパートひらがな"],
  "NotoSansKR-Regular": ["서울특별시"],
};

test.each(Object.entries(NAMES))(
  "a PDF embeds %s as a subset where its letters are, and does not read it otherwise",
  async (font, names) => {
    const { pdf, pages, read } = await madeOf([sheetOf("Van", names)], null);
    const isRightToLeft = /[\u0590-\u06ff]/.test(names[0] ?? "");
    for (const name of names) expect(pages[0]).toContain(isRightToLeft ? [...name].reverse().join("") : name);
    const regular = "NotoSans-Regular";
    expect(fontNamesOf(pdf).toSorted()).toEqual([...new Set([regular, "NotoSans-Bold", font])].toSorted());
    expect(read.some((file) => file.startsWith(font))).toBe(true);
    expect(new Set(read).size).toBe(read.length);
    expect(pdf.length).toBeLessThan(60_000);
  },
);

test("a PDF joins Arabic letters, and keeps numbers and brackets between them in reading order", async () => {
  const { pdf, pages } = await madeOf([sheetOf("Van", ["مرحبا (123) بلا van"])], null);
  const line = pages[0]?.split("\n").find((text) => text.includes("123"));
  // A ligature is one glyph for two letters.
  expect(line).toBe("van لاب (123) ابحرم");
  expect(fontNamesOf(pdf)).toContain("NotoNaskhArabic");
});

test("a PDF draws charts as lines and rectangles above the tables", async () => {
  const trace = new Trace();
  for (let index = 0; index < 300; index++) trace.add(index, 50 + 30 * Math.sin(index / 20));
  const charts = [
    ...createLineChart({ title: "温度, °C", trace, axis: "mileage", isSmooth: false }, WRITER),
    ...createBarChart("Time there", [
      { name: "Depot", text: "03:00", value: 3 },
      { name: "مخزن", text: "01:00", value: 1 },
    ]),
  ];
  const { pdf, pages } = await madeOf([sheetOf("Van", toNumberedLines(3))], null, charts);
  const lines = pages[0]?.split("\n") ?? [];
  expect(lines).toEqual(expect.arrayContaining(["温度, °C", "100", "Time there", "Depot", "03:00", "نزخم"]));
  expect(lines.indexOf("Time there")).toBeLessThan(lines.indexOf("Row 1."));
  // One line through all values, and a rectangle for each bar.
  expect(pathsIn(pdf)).toMatchObject({ longest: 300, rectangles: 2 });
  expect(pdf.includes("/Subtype /Image")).toBe(false);
});

test("a PDF of thousands of rows is written page by page", async () => {
  const rows = effort({ few: 5000, many: 20_000 });
  const { pages, pieces } = await madeOf([sheetOf("Van", toNumberedLines(rows))]);
  expect(pieces).toBeGreaterThan(rows / 1000);
  expect(pages.slice(-2).join("\n")).toContain(`Row ${rows}.`);
  expect(pages[0]?.split("\n").slice(0, 2)).toEqual([` / ${pages.length}`, "2"]);
});

/** Counts slices, and the steps between two moments at which the work may pause. */
class CountingBudget extends WorkBudget {
  slices = 0;
  mostSteps = 0;

  constructor() {
    super({ limit: Number.POSITIVE_INFINITY, pause: async () => void this.slices++ });
  }

  override spend(steps: number) {
    this.mostSteps = Math.max(this.mostSteps, steps);
    return super.spend(steps);
  }
}

test.each([
  ["5,000 rows", toNumberedLines(5000), 4],
  ["long texts", Array<string>(20).fill(toNumberedLines(500).join(" ")), 4],
  ["a long text in Chinese", ["北京市货车".repeat(100)], 1],
])("a PDF of %s is made in slices, with pauses after at most one and a half of them", async (_, names, leastSlices) => {
  const budget = new CountingBudget();
  await madeOf([sheetOf("Van", names)], null, [], budget);
  expect(budget.slices).toBeGreaterThanOrEqual(leastSlices);
  expect(budget.mostSteps).toBeLessThan(STEPS_PER_SLICE / 2);
});

const EVERYTHING = [...Object.values(NAMES).flat(), "مُحَمَّد 12", "emoji 🚚 \u0007 e\u0301"];

test.runIf(hasPrograms("services/reports/src/pdf", "qpdf", "pdftotext", "pdftoppm"))(
  "a PDF passes qpdf's check, and pdftotext and pdftoppm read its texts and draw its pages",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "fleet-pages-"));
    const file = join(folder, "report.pdf");
    const run = promisify(execFile);
    await writeFile(file, (await madeOf([sheetOf("货车 شاحنة", EVERYTHING), sheetOf("Van", toNumberedLines(60))])).pdf);
    expect((await run("qpdf", ["--check", file])).stdout).toContain("No syntax or stream encoding errors found");
    await run("pdftotext", ["-layout", file, join(folder, "text")]);
    const text = await readFile(join(folder, "text"), "utf8");
    for (const name of Object.values(NAMES).flat()) expect(text).toContain(name);
    await run("pdftoppm", ["-r", "30", "-gray", "-f", "2", "-l", "2", file, join(folder, "page")]);
    const picture = await readFile(join(folder, "page-2.pgm"));
    const dark = picture.subarray(picture.length - 350 * 248).filter((gray) => gray < 160).length;
    expect(dark).toBeGreaterThan(300);
    expect(dark).toBeLessThan(20_000);
    await rm(folder, { recursive: true });
  },
);

test.runIf(hasPrograms("services/reports/src/pdf", "pdftoppm"))(
  "a PDF shows letters that no font has as marks",
  async () => {
    const { pages } = await madeOf([sheetOf("Van", ["Bangkok ไทย 7"])], null);
    expect(pages[0]).toContain("Bangkok \ufffd\ufffd\ufffd 7");
    const blank = await darkIn((await madeOf([sheetOf("Van", [""])], null)).pdf);
    const few = await darkIn((await madeOf([sheetOf("Van", ["ไทย"])], null)).pdf);
    const more = await darkIn((await madeOf([sheetOf("Van", ["ไทย ไทย देव"])], null)).pdf);
    expect(few).toBeGreaterThan(blank + 50);
    expect(more).toBeGreaterThan(few + 50);
  },
);

/** Counts the dark pixels of the first page. */
async function darkIn(pdf: Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), "fleet-pages-"));
  await writeFile(join(folder, "report.pdf"), pdf);
  const settings = ["-r", "100", "-gray", "-singlefile", join(folder, "report.pdf"), join(folder, "page")];
  await promisify(execFile)("pdftoppm", settings);
  const picture = await readFile(join(folder, "page.pgm"));
  await rm(folder, { recursive: true });
  return picture.subarray(20).filter((gray) => gray < 128).length;
}
