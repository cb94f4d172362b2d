/** Headers of a file that browsers store under this name, whatever characters it has. */
export function downloadHeaders(name: string, mediaType: string): Record<string, string> {
  const file = name.toWellFormed().replace(UNFIT_FOR_FILE, "_");
  const plain = file.replace(/[^\x20-\x7e]|["%]/g, "_");
  const encoded = encodeURIComponent(file).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return {
    "Content-Type": mediaType,
    "Content-Disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
  };
}

/** Control characters, slashes, and marks that reverse the direction of text and so hide the extension. */
const UNFIT_FOR_FILE = /[\p{Cc}\p{Bidi_Control}/\\]/gu;
