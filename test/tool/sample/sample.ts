import type { Account, Accounts } from "../call/account.ts";

/** The things of an account, by the ids and names under which calls ask for them. */
export type World = {
  tracker_id: number;
  tracker_label: string;
  vehicle_id: number;
  service_task_id: number;
  task_id: number;
  schedule_id: number;
  route_id: number;
  /** The schedule of a route, and of a checkpoint of it. */
  round_id: number;
  stop_id: number;
  checkpoint_id: number;
  service_file_id: number;
  form_template_id: number;
  /** The form of a task, and that of a check-in that is still to be made. */
  form_id: number;
  checkin_form_id: number;
  checkin_id: number;
  photo_id: number;
  garage_id: number;
  department_id: number;
  employee_id: number;
  tag_id: number;
  event_id: number;
  entry_id: number;
  listing_id: number;
  status_id: number;
  group_id: number;
  sensor_id: number;
  retranslator_id: number;
  webhook_id: number;
  track_id: number;
  api_key: string;
  session_id: number;
  security_group_id: number;
  subuser_id: number;
  zone_id: number;
  rule_id: number;
  place_id: number;
  /** The entity of the account's places, of which there is one. */
  entity_id: number;
  field_id: number;
  file_id: string;
  process_id: number;
  vehicle_process_id: number;
  report_id: number;
  report_schedule_id: number;
};

/** A call that succeeds for the account whose world is given, however often it is made. */
export type Sample = {
  /** The caller; by default the account's master. */
  as?: "nobody" | "operator";
  parameters(world: World, account: Account): object;
  /** Makes parameters that the call uses up, before each call. */
  before?(account: Account, accounts: Accounts): Promise<object>;
};
