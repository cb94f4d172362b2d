import { unzlibSync } from "fflate";

type Pdf = { objects: Map<number, { head: string; stream: string }>; text: string };

/** The texts of each page, one in a line, in the order of writing; page numbers, which are added last, stand first. */
export function pagesOf(bytes: Uint8Array): string[] {
  const pdf = parseText(bytes);
  const fonts = fontsOf(pdf);
  const pages = [...pdf.objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head));
  return pages.map(({ head }) => {
    const content = objectAt(pdf, head, "Contents");
    const resources = objectAt(pdf, head, "Resources").head;
    const listed = /\/XObject <<([^>]*)>>/.exec(resources)?.[1] ?? "";
    const forms = new Map(
      [...listed.matchAll(/\/(\w+) (\d+) 0 R/g)].map(({ 1: name = "", 2: id }) => [name, Number(id)]),
    );
    return [...content.stream.matchAll(/\/(\w+) Do/g)]
      .map(({ 1: name = "" }) => pdf.objects.get(forms.get(name) ?? 0)?.stream ?? "")
      .concat(content.stream)
      .flatMap((stream) => linesIn(stream, fonts))
      .join("\n");
  });
}

/** The fonts that are embedded, by their own names. */
export function fontNamesOf(bytes: Uint8Array): string[] {
  return [...parseText(bytes).text.matchAll(/\/FontName \/[A-Z]{6}\+([\w-]+)/g)].map(({ 1: name = "" }) => name);
}

/** The targets of links: addresses, and names of places in the document. */
export function linksOf(bytes: Uint8Array): string[] {
  return [...parseText(bytes).text.matchAll(/\/(?:URI|D) \(([^)]*)\)/g)].map(({ 1: target = "" }) => target);
}

/** Counts in the drawings of a PDF: the points of the longest line, and the filled rectangles. */
export function pathsIn(bytes: Uint8Array) {
  const streams = [...parseText(bytes).objects.values()].map(({ stream }) => stream);
  const lines = streams.flatMap((stream) => [...stream.matchAll(/ m( \S+ \S+ l)+ S$/gm)].map(([line]) => line));
  const longest = Math.max(0, ...lines.map((line) => line.split(" l").length));
  return { longest, rectangles: streams.join("\n").match(/ re f$/gm)?.length ?? 0 };
}

function parseText(bytes: Uint8Array): Pdf {
  const text = Buffer.from(bytes).toString("latin1");
  const objects = new Map();
  for (const { 1: id, 2: body = "" } of text.matchAll(/(?<=\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const start = body.indexOf("\nstream\n");
    const head = start < 0 ? body : body.slice(0, start);
    const raw = start < 0 ? "" : body.slice(start + 8, start + 8 + Number(/\/Length (\d+)/.exec(head)?.[1]));
    const isPacked = head.includes("/FlateDecode");
    const stream = isPacked ? Buffer.from(unzlibSync(Buffer.from(raw, "latin1"))).toString("latin1") : raw;
    objects.set(Number(id), { head, stream });
  }
  return { objects, text };
}

function objectAt({ objects }: Pdf, head: string, member: string) {
  const id = Number(new RegExp(`/${member} (\\d+) 0 R`).exec(head)?.[1]);
  return objects.get(id) ?? { head: "", stream: "" };
}

/** The characters of each font's glyphs, by the font's name. */
function fontsOf(pdf: Pdf): Map<string, string[]> {
  const named = new Map(
    [...pdf.text.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(({ 1: name = "", 2: id }) => [name, Number(id)]),
  );
  return new Map(
    [...named].map(([name, id]) => {
      const { stream } = objectAt(pdf, pdf.objects.get(id)?.head ?? "", "ToUnicode");
      const ranges = [...stream.matchAll(/<[0-9a-f]{4}> <[0-9a-f]{4}> \[([^\]]*)\]/g)];
      const glyphs = ranges.flatMap(({ 1: list = "" }) => [...list.matchAll(/<([^>]*)>/g)]);
      return [name, glyphs.map(({ 1: codes = "" }) => fromHex(codes.replaceAll(" ", "")))];
    }),
  );
}

function linesIn(stream: string, fonts: Map<string, string[]>): string[] {
  let glyphs: string[] = [];
  const lines: string[] = [];
  for (const { 1: font, 2: hex = "" } of stream.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9a-f]+)>|\bTm\b|\bBT\b/g)) {
    if (font) glyphs = fonts.get(font) ?? [];
    else if (hex === "") lines.push("");
    else {
      const shown = (hex.match(/.{4}/g) ?? []).map((code) => glyphs[Number.parseInt(code, 16)] ?? "?");
      lines.push((lines.pop() ?? "") + shown.join(""));
    }
  }
  return lines.filter((line) => line !== "");
}

function fromHex(codes: string) {
  return (codes.match(/.{4}/g) ?? []).map((code) => String.fromCharCode(Number.parseInt(code, 16))).join("");
}
