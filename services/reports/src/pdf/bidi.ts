import bidiFactory from "bidi-js";
import { type Script, scriptOf } from "./fonts.ts";

/** Consecutive characters of one script and one direction. */
export type TextRun = { script: Script; level: number; text: string };

/**
 * The runs of a line in visual order, from left to right; the text within a right-to-left run stays in logical order.
 */
export function toTextRuns(line: string): TextRun[] {
  const { levels } = BIDI.getEmbeddingLevels(line);
  const runs: TextRun[] = [];
  let index = 0;
  for (const character of line) {
    const level = levels[index] ?? 0;
    index += character.length;
    const last = runs.at(-1);
    // A combining mark belongs to the run of its letter, even if another font has it.
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

/** Reverses the runs at or above each level, from the highest level down. UAX 9, L2. */
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
