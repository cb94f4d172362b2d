// Unpacks the browser of @sparticuz/chromium into TMPDIR: the browser, its fonts, a renderer, and the libraries that a machine
// may lack. A program of its own, because the package reads TMPDIR when it is loaded.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import chromium, { inflate } from "@sparticuz/chromium";

const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..", "bin");
await chromium.executablePath();
await inflate(join(packed, "al2023.tar.br"));
