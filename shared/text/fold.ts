/** Text as it is searched and sorted: marks removed, lower case, so that `Ä` is found by `a`. SQLite folds ASCII only. */
export function foldText(text: string): string {
  // İ and ı lose their dot and their lack of it: both are found by i.
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i").replaceAll("ß", "ss");
}
