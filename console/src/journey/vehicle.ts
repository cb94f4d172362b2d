/** A chosen vehicle; `index` gives its colour, which tells it from the others. */
export type Vehicle = { id: number; label: string; index: number };
