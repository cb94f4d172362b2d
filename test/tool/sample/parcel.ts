/** The members of a task that most tests do not care about. */
export const PARCEL = {
  location: { lat: 1, lng: 2, address: "", radius: 5 },
  label: "Parcel",
  description: "",
  external_id: null,
  max_delay: 0,
  min_stay_duration: 0,
  min_arrival_duration: 0,
  form_template_id: null,
};
