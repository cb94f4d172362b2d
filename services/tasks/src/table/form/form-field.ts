/** Members that all types of fields share. */
type Common = { id: string; label: string; description: string; required: boolean };

/** A field of a form, stored in its template and copied into forms. */
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

/** The value of a field; that of a signature is one file. */
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

/** Values by field id; an empty field has no member. */
export type FormValues = Record<string, FormValue>;
