/** Operations of the contract that are not built yet. Nothing is ever added here. */
export const PENDING = [
  "/checkin/read",
  "/checkin/list",
  "/checkin/delete",
  "/checkin/create",
  "/checkin/form/create",
  "/checkin/form/file/create",
  "/task/form/create",
  "/task/form/delete",
  "/task/form/download",
  "/task/form/list",
  "/task/form/read",
];
