/** What every field of a form has. */
type Common = { id: string; label: string; description: string; required: boolean };

/** A field of a form, as it is stored with its template and copied into forms. */
export type FormField = Common &
  (
    | { type: "text"; min_length: number; max_length: number }
    | { type: "checkbox_group"; group: { label: string }[]; min_checked: number; max_checked: number }
    | { type: "dropdown"; options: { label: string }[] }
    | { type: "radio_group"; options: { label: string }[] }
    | { type: "date"; disable_future: boolean; disable_past: boolean }
    | { type: "rating"; max_stars: number }
    | { type: "file"; min_file_size: number; max_file_size: number; allowed_extensions: string[] | null }
    | { type: "photo"; max_files: number }
    | { type: "signature" }
    | { type: "separator" }
  );

/** What a field was filled in with; a signature is one file. */
export type FormValue =
  | { type: "text"; value: string }
  | { type: "checkbox_group"; values: boolean[] }
  | { type: "dropdown"; value_index: number }
  | { type: "radio_group"; value_index: number }
  | { type: "date"; value: string }
  | { type: "rating"; value: number }
  | { type: "file"; file_ids: number[] }
  | { type: "photo"; file_ids: number[] }
  | { type: "file"; file_id: number };

/** By the ids of the fields; one without a value is left out. */
export type FormValues = Record<string, FormValue>;
