/** Operations of the contract that are not built yet. Nothing is ever added here. */
export const PENDING = [
  "/task/batch_convert",
  "/zone/batch_convert",
  "/place/batch_convert",
  "/place/upload",
  "/geocoder/search_address",
  "/geocoder/search_location",
  "/report/tracker/delete",
  "/report/tracker/download",
  "/report/tracker/generate",
  "/report/tracker/list",
  "/report/tracker/retrieve",
];
