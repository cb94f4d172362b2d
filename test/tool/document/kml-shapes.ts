const [HEAD, TAIL] = ["<kml><Document>", "</Document></kml>"];
const POINT = "<Point><coordinates>8,40</coordinates></Point>";
export const line = (coordinates: string) =>
  `<Placemark><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark>`;
const folder = (name: string) => `<Folder><name>${name}</name><Placemark>${POINT}</Placemark>`;

/** Contents of KML documents that would take long if a reader looked at any part of them again and again. */
export const SHAPES: [string, (size: number) => string][] = [
  ["one tuple of numbers", (size) => line(repeated("8,40,0,", size).slice(0, -1))],
  ["one tuple of numbers that is none in the end", (size) => line(`${repeated("8,40,0,", size)}8`)],
  ["one number", (size) => line(`8,4${repeated("0", size)}`)],
  ["tuples of three", (size) => line(repeated("8,40,0 ", size))],
  ["blanks between two tuples", (size) => line(`8,40${repeated(" \n", size)}9,40`)],
  ["coordinates of no zone", (size) => `<Placemark><coordinates>${repeated("8,40 ", size)}</coordinates></Placemark>`],
  ["one name", (size) => `<name>${repeated("n", size)}</name><Placemark>${POINT}</Placemark>`],
  ["one name of blanks", (size) => `<name>n${repeated(" ", size)}n</name><Placemark>${POINT}</Placemark>`],
  [
    "a long name over many placemarks",
    (size) => `<name>${"n".repeat(size / 2)}</name>${repeated(`<Placemark>${POINT}</Placemark>`, size / 2)}`,
  ],
  ["placemarks with names", (size) => repeated(`<Placemark><name>Here</name>${POINT}</Placemark>`, size)],
  ["placemarks of nothing", (size) => repeated("<Placemark/>", size)],
  ["folders in folders", (size) => nested("<Folder>", "</Folder>", size)],
  ["folders in folders, each with a name and a placemark", (size) => nested(folder("deep down"), "</Folder>", size)],
  [
    "placemarks at the bottom of many folders",
    (size) => `${"<Folder>".repeat(900)}${repeated(folder("x"), size, "</Folder>")}${"</Folder>".repeat(900)}`,
  ],
  ["one placemark of many figures", (size) => `<Placemark>${repeated(POINT, size)}</Placemark>`],
  ["attributes of one element", (size) => `<a ${numbered(size)}/>`],
  ["elements with attributes", (size) => repeated('<a b="c" d="e"/>', size)],
  ["a comment", (size) => `<!--${repeated("- ", size)}-->`],
  ["a text that nothing reads", (size) => `<description>${repeated("text &amp; more ", size)}</description>`],
  ["CDATA", (size) => `<name><![CDATA[${repeated("x]", size)}]]></name>`],
];

/** A KML document with this inside. */
export function documentOf(inner: string) {
  return new TextEncoder().encode(HEAD + inner + TAIL);
}

export function repeated(part: string, size: number, end = "") {
  return (part + end).repeat(Math.max(1, Math.floor(size / (part.length + end.length))));
}

function nested(open: string, close: string, size: number) {
  const levels = Math.floor(size / (open.length + close.length));
  return open.repeat(levels) + close.repeat(levels);
}

function numbered(size: number) {
  return Array.from({ length: Math.floor(size / 12) }, (_, index) => `a${index}=""`).join(" ");
}
