declare module "*.ttf" {
  const bytes: ArrayBuffer;
  export default bytes;
}

/** What we use of it: the types that it has for itself bring those of browsers with them. */
declare module "pdfmake/js/index.js" {
  type Style = {
    bold?: boolean;
    font?: string;
    fontSize?: number;
    alignment?: "right";
    noWrap?: boolean;
    pageBreak?: "before";
    /** Stands in the table of contents. */
    tocItem?: boolean;
    /** Points: all sides; left and right, above and below; left, above, right, below. */
    margin?: [number, number] | [number, number, number, number];
  };
  export type TableCell = Style & { text: string };
  type Table = {
    table: { headerRows: number; dontBreakRows: boolean; widths: ("*" | "auto")[]; body: TableCell[][] };
    layout: "lightHorizontalLines";
  };
  type Contents = { toc: { title: Style & { text: string } } };
  type Image = { image: string; fit: [number, number] };
  type Block = { stack: Content[] } | { columns: Content[]; columnGap: number; unbreakable: true };
  export type Content = Style & ({ text: string } | Table | Contents | Image | Block);
  type Definition = {
    info: { title: string };
    pageOrientation: "landscape";
    pageMargins: number;
    defaultStyle: Style;
    footer(page: number, pages: number): Content;
    content: Content[];
  };
  const pdfmake: {
    virtualfs: { writeFileSync(name: string, bytes: Uint8Array): void };
    setFonts(fonts: Record<string, { normal: string; bold: string }>): void;
    setUrlAccessPolicy(allows: (url: string) => boolean): void;
    setLocalAccessPolicy(allows: (path: string) => boolean): void;
    createPdf(definition: Definition): { getBuffer(): Promise<Uint8Array> };
  };
  export default pdfmake;
}
