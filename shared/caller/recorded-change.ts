/** Every change that is recorded: things, and what is done to them. The audit log and the events name no others. */
export const RECORDED_CHANGES = {
  api_key: ["create", "delete"],
  checkin: ["create", "delete"],
  checkin_image: ["create"],
  checkin_form: ["create"],
  checkpoint: ["create", "update", "delete", "transmute"],
  counter: ["update", "set"],
  custom_field: ["update"],
  delivery_session: ["create"],
  department: ["create", "update", "delete"],
  employee: ["create", "update", "delete"],
  employee_import: ["start", "complete", "fail", "finish"],
  entity: ["update"],
  form_template: ["create", "update", "delete"],
  garage: ["create", "update", "delete"],
  ingest_key: ["update"],
  journal_entry: ["create", "update", "delete"],
  lbs: ["update"],
  output: ["update"],
  place: ["create", "update", "delete"],
  report: ["create", "complete", "delete"],
  report_schedule: ["create", "update", "delete", "disable"],
  retranslator: ["create", "update", "delete"],
  route: ["create", "update", "delete", "assign"],
  rule: ["create", "update", "delete", "bind", "unbind"],
  security_group: ["create", "update", "delete", "assign"],
  sensor: ["create", "update", "delete", "calibrate", "copy"],
  service_task: ["create", "update", "delete", "done"],
  service_task_file: ["create"],
  status: ["create", "update", "delete"],
  status_listing: ["create", "update", "delete", "assign"],
  subuser: ["register", "update", "delete", "session_create"],
  subuser_place: ["bind", "unbind"],
  subuser_tracker: ["bind", "unbind"],
  subuser_zone: ["bind", "unbind"],
  tag: ["create", "update", "delete"],
  task: ["create", "update", "delete", "assign", "transmute"],
  task_form: ["create", "delete", "submit"],
  task_schedule: ["create", "update", "delete", "pause", "transmute"],
  tracker: [
    ...["register", "update", "delete", "corrupt", "clone", "block", "unblock"],
    ...["employee_assign", "status", "tags", "tariff_change"],
  ],
  tracker_group: ["create", "update", "delete", "assign"],
  tracker_retranslator: ["bind", "unbind"],
  trip_detection: ["update"],
  user: [
    ...["create", "update", "activate", "login", "logout", "checkin", "password_change", "session_create"],
    ...["session_delete", "totp_create", "settings_update", "personal_info_update", "menu_update"],
  ],
  vehicle: ["create", "update", "delete"],
  vehicle_import: ["start", "complete", "fail", "finish"],
  webhook: ["create", "update", "delete", "secret_rotate", "disable", "test", "replay"],
  zone: ["create", "update", "delete", "upload"],
  zone_points: ["update"],
} as const;

type Changes = typeof RECORDED_CHANGES;
/** The kind of a changed thing. */
export type ChangedThing = keyof Changes;
/** The actions on a thing of this kind. */
export type ActionOn<Thing extends ChangedThing> = Changes[Thing][number];
/** A kind of change: the thing and the action. */
export type ChangeKind = { [Thing in ChangedThing]: readonly [Thing, ActionOn<Thing>] }[ChangedThing];
