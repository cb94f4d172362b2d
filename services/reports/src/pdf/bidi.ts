import bidiFactory from "bidi-js";
import { type Script, scriptOf } from "./fonts.ts";

/** Characters of one script that are read in one direction. */
export type TextRun = { script: Script; level: number; text: string };

/** A line's runs from the left to the right, as they are seen; what is read from the right is still in the order of reading. */
export function toTextRuns(line: string): TextRun[] {
  const { levels } = BIDI.getEmbeddingLevels(line);
  const runs: TextRun[] = [];
  let index = 0;
  for (const character of line) {
    const level = levels[index] ?? 0;
    index += character.length;
    const last = runs.at(-1);
    // Marks stand on the letter before them, whatever font has them.
    const script = last && MARK.test(character) ? last.script : scriptOf(character);
    const seen = isFromRight(level) ? (BIDI.getMirroredCharacter(character) ?? character) : character;
    if (last && last.script === script && last.level === level) last.text += seen;
    else runs.push({ script, level, text: seen });
  }
  return orderVisually(runs);
}

export function isFromRight(level: number): boolean {
  return level % 2 === 1;
}

/** From the highest level down, what lies at a level or above it is turned round. UAX 9, L2. */
function orderVisually(runs: TextRun[]): TextRun[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end++;
      if (end === start) continue;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

const BIDI = bidiFactory();
const MARK = /\p{M}/u;
