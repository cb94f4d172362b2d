import { WorkBudget } from "#shared/background/work-budget.ts";
import { type Block, type Document, releaseBlocks } from "../layout/document.ts";
import type { MapAddress } from "../layout/lines.ts";
import { drawChart } from "./chart.ts";
import type { FontReader } from "./fonts.ts";
import { A4_LANDSCAPE, BOTTOM, Paper, RIGHT } from "./paper.ts";
import { pictureDrawings } from "./pictures.ts";
import { nextPage, printLines } from "./table.ts";
import type { Type } from "./typesetter.ts";

type Source = Omit<Document, "cellValue">;

/**
 * Streams landscape A4 pages, each once it is finished: a title page with the contents, then each part on new pages.
 * `headers` lists the headers of all parts. Works in slices, so that other calls are answered in between.
 */
export async function* streamPages(
  { title, language, head, parts, mapAddress }: Source,
  { read, headers }: { read: FontReader; headers: string[] },
  budget = new WorkBudget({ limit: Number.POSITIVE_INFINITY }),
): AsyncGenerator<Uint8Array> {
  const paper = await Paper.of({ title, language }, read, budget);
  const contents = language === "de" ? "Inhalt" : "Contents";
  const entries = head ? await printFront({ ...head, contents, headers }, paper) : [];
  let index = 0;
  for await (const { header, blocks } of parts) {
    yield* nextPage(paper);
    paper.mark(nameOf(index), header);
    entries[index]?.write(`${paper.page}`);
    index++;
    await printTitle(header, paper);
    for (const block of releaseBlocks(blocks)) yield* printBlock(block, paper, mapAddress);
  }
  // A PDF needs at least one page.
  if (paper.page === 0) {
    paper.newPage();
    await printTitle(title, paper);
  }
  yield* paper.end();
}

async function* printBlock(block: Block, paper: Paper, mapAddress: MapAddress): AsyncGenerator<Uint8Array> {
  if ("lines" in block) return yield* printLines(block.lines, paper, mapAddress);
  const drawings = "chart" in block ? [drawChart(block.chart)] : pictureDrawings(block.pictures);
  for (const { texts, height, draw } of drawings) {
    await paper.setter.prepare(texts);
    if (paper.y + height > BOTTOM) yield* nextPage(paper);
    draw(paper, paper.y);
    paper.y += height;
  }
}

type Front = { title: string; subtitle: string; contents: string; headers: string[] };

/** Prints the contents with links to the parts; the page numbers are written once they are known. */
async function printFront({ title, subtitle, contents, headers }: Front, paper: Paper) {
  await paper.setter.prepare([title, contents, ...headers]);
  paper.newPage();
  paper.y = TITLE_TOP;
  printText(title, TITLE, paper);
  paper.y += 4;
  printText(subtitle, ENTRY, paper);
  paper.y += 24;
  if (headers.length > 0) printText(contents, HEADER, paper);
  return headers.map((header, index) => {
    if (paper.y + ENTRY_HEIGHT > BOTTOM) paper.newPage();
    const { y } = paper;
    const [line] = paper.setter.linesOf(header, WIDTH - NUMBER_WIDTH, ENTRY);
    if (line) paper.draw(line, { x: A4_LANDSCAPE.margin, y }, ENTRY);
    paper.rule(A4_LANDSCAPE.margin, RIGHT, y + ENTRY_HEIGHT - 2, 0.85);
    paper.leadTo(nameOf(index), { x: A4_LANDSCAPE.margin, y, width: WIDTH, height: ENTRY_HEIGHT });
    paper.y += ENTRY_HEIGHT;
    return paper.reserveNumber({ x: RIGHT - NUMBER_WIDTH, y }, ENTRY);
  });
}

async function printTitle(text: string, paper: Paper) {
  await paper.setter.prepare([text]);
  printText(text, HEADER, paper);
}

function printText(text: string, type: Type, paper: Paper) {
  for (const line of paper.setter.linesOf(text, WIDTH, type)) {
    paper.draw(line, { x: A4_LANDSCAPE.margin, y: paper.y }, type);
    paper.y += type.size * 1.4;
  }
}

function nameOf(index: number) {
  return `part-${index}`;
}

const TITLE: Type = { size: 18, bold: true };
const HEADER: Type = { size: 14, bold: true };
const ENTRY: Type = { size: 9, bold: false };
const ENTRY_HEIGHT = 15;
const WIDTH = RIGHT - A4_LANDSCAPE.margin;
const NUMBER_WIDTH = 30;
const TITLE_TOP = 120;
