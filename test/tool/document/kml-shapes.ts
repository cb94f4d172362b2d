const [HEAD, TAIL] = ["<kml><Document>", "</Document></kml>"];
const POINT = "<Point><coordinates>8,40</coordinates></Point>";
export const line = (coordinates: string) =>
  `<Placemark><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark>`;
const folder = (name: string) => `<Folder><name>${name}</name><Placemark>${POINT}</Placemark>`;

/** Contents of KML documents that would take long if a reader looked at any part of them again and again. */
export const SHAPES: [string, (size: number) => string][] = [
  ["one tuple of numbers", (size) => line(repeat("8,40,0,", size).slice(0, -1))],
  ["one tuple of numbers that is none in the end", (size) => line(`${repeat("8,40,0,", size)}8`)],
  ["one number", (size) => line(`8,4${repeat("0", size)}`)],
  ["tuples of three", (size) => line(repeat("8,40,0 ", size))],
  ["blanks between two tuples", (size) => line(`8,40${repeat(" \n", size)}9,40`)],
  ["coordinates of no zone", (size) => `<Placemark><coordinates>${repeat("8,40 ", size)}</coordinates></Placemark>`],
  ["one name", (size) => `<name>${repeat("n", size)}</name><Placemark>${POINT}</Placemark>`],
  ["one name of blanks", (size) => `<name>n${repeat(" ", size)}n</name><Placemark>${POINT}</Placemark>`],
  [
    "a long name over many placemarks",
    (size) => `<name>${"n".repeat(size / 2)}</name>${repeat(`<Placemark>${POINT}</Placemark>`, size / 2)}`,
  ],
  ["placemarks with names", (size) => repeat(`<Placemark><name>Here</name>${POINT}</Placemark>`, size)],
  ["placemarks of nothing", (size) => repeat("<Placemark/>", size)],
  ["folders in folders", (size) => nest("<Folder>", "</Folder>", size)],
  ["folders in folders, each with a name and a placemark", (size) => nest(folder("deep down"), "</Folder>", size)],
  [
    "placemarks at the bottom of many folders",
    (size) => `${"<Folder>".repeat(900)}${repeat(folder("x"), size, "</Folder>")}${"</Folder>".repeat(900)}`,
  ],
  ["one placemark of many figures", (size) => `<Placemark>${repeat(POINT, size)}</Placemark>`],
  ["attributes of one element", (size) => `<a ${numberParts(size)}/>`],
  ["elements with attributes", (size) => repeat('<a b="c" d="e"/>', size)],
  ["a comment", (size) => `<!--${repeat("- ", size)}-->`],
  ["a text that nothing reads", (size) => `<description>${repeat("text &amp; more ", size)}</description>`],
  ["CDATA", (size) => `<name><![CDATA[${repeat("x]", size)}]]></name>`],
];

/** A KML document with `inner` as the content of its Document element. */
export function documentOf(inner: string) {
  return new TextEncoder().encode(HEAD + inner + TAIL);
}

export function repeat(part: string, size: number, end = "") {
  return (part + end).repeat(Math.max(1, Math.floor(size / (part.length + end.length))));
}

function nest(open: string, close: string, size: number) {
  const levels = Math.floor(size / (open.length + close.length));
  return open.repeat(levels) + close.repeat(levels);
}

function numberParts(size: number) {
  return Array.from({ length: Math.floor(size / 12) }, (_, index) => `a${index}=""`).join(" ");
}
