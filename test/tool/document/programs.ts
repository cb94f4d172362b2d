import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** External programs that some tests ask, with the Debian packages that have them. */
const PACKAGES = {
  soffice: "libreoffice-calc",
  qpdf: "qpdf",
  pdftotext: "poppler-utils",
  pdftoppm: "poppler-utils",
  caddy: "caddy",
  nginx: "nginx",
  openssl: "openssl",
  "systemd-analyze": "systemd",
} as const;
type Program = keyof typeof PACKAGES;

/** Whether the programs are installed; where not, prints one line that names the tests' file and the packages. */
export function hasPrograms(file: string, ...programs: Program[]): boolean {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return true;
  const packages = [...new Set(missing.map((program) => PACKAGES[program]))];
  console.warn(`Skipped: tests of ${file} that ask ${missing.join(" and ")} (package ${packages.join(", ")}).`);
  return false;
}

function isInstalled(program: Program): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}
