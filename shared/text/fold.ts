/** Text for searching and sorting: without marks, in lower case, so that `a` finds `Ä`. SQLite folds ASCII only. */
export function foldText(text: string): string {
  // İ and ı both match i.
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i").replaceAll("ß", "ss");
}
