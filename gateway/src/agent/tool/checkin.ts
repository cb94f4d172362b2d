import * as z from "zod";
import { agentTool, cursor, localTime, trackerIds } from "./agent-tool.ts";
import { offsetOf, toAnswerPage } from "./answer-page.ts";

export const checkins = agentTool("checkins", {
  description:
    "Check-ins, newest first: time, tracker, address, comment, number of photos and files, label of the form.",
  input: z.object({
    from: localTime().optional(),
    to: localTime().optional(),
    tracker_ids: trackerIds().optional(),
    cursor: cursor(),
  }),
  async run({ from, to, tracker_ids, cursor }, caller) {
    const offset = offsetOf(cursor);
    const search = { from, to, trackers: tracker_ids, sort: ["marker_time=desc"], offset, limit: CHECKINS_PER_PAGE };
    const { list, count } = await caller.read("/checkin/list", search, Checkins);
    const shown = list.map(({ id, marker_time, tracker_id, employee_id, location, comment, files, form_label }) => ({
      ...{ id, time: marker_time, tracker_id, employee_id, address: location.address },
      ...{ lat: location.lat, lng: location.lng, comment: comment?.slice(0, MAX_COMMENT), files: files.length },
      ...(form_label === null ? {} : { form: form_label }),
    }));
    return { count, ...toAnswerPage(shown, offset, offset + list.length < count) };
  },
});

const Checkins = z.object({
  count: z.int(),
  list: z.array(
    z.object({
      id: z.int(),
      marker_time: z.string(),
      tracker_id: z.int(),
      employee_id: z.int().optional(),
      location: z.object({ lat: z.number(), lng: z.number(), address: z.string() }),
      comment: z.string().optional(),
      files: z.array(z.unknown()),
      form_label: z.string().nullable(),
    }),
  ),
});
const CHECKINS_PER_PAGE = 50;
const MAX_COMMENT = 300;
