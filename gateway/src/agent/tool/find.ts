import * as z from "zod";
import { envelope, isApiError } from "#shared/error/api-error.ts";
import type { AgentCaller } from "./agent-caller.ts";
import { agentTool } from "./agent-tool.ts";
import { toAnswerPage } from "./answer-page.ts";

export const find = agentTool("find", {
  description:
    "Finds trackers, vehicles, employees, zones, places and tasks by a part of their name; answers ids for the other tools.",
  input: z.object({
    text: z.string().min(1).max(60),
    kinds: z.array(z.enum(["tracker", "vehicle", "employee", "zone", "place", "task"])).optional(),
  }),
  async run({ text, kinds = ALL_KINDS }, caller) {
    const searches = [...new Set(kinds)].map(async (kind) => {
      try {
        return { found: await SEARCHES[kind](text, caller) };
      } catch (thrown) {
        // A kind that the caller may not list does not hide the others.
        if (!isApiError(thrown)) throw thrown;
        return { found: [], refused: { [kind]: envelope(thrown.code).status } };
      }
    });
    const results = await Promise.all(searches);
    const refused = Object.assign({}, ...results.map((one) => one.refused));
    const page = toAnswerPage(
      results.flatMap(({ found }) => found),
      0,
      false,
    );
    return { ...page, ...(Object.keys(refused).length > 0 ? { refused } : {}) };
  },
});

type Kind = "tracker" | "vehicle" | "employee" | "zone" | "place" | "task";
type FoundThing = { kind: Kind; id: number; name: string; tracker_id?: number | null; detail?: string };

const Named = z.object({ id: z.int(), label: z.string() });

const SEARCHES: Record<Kind, (text: string, caller: AgentCaller) => Promise<FoundThing[]>> = {
  async tracker(text, caller) {
    const { list } = await caller.read("/tracker/list", { labels: [text] }, z.object({ list: z.array(Named) }));
    return list.slice(0, MAX_PER_KIND).map(({ id, label }) => ({ kind: "tracker", id, name: label }));
  },
  async vehicle(text, caller) {
    const Vehicle = Named.extend({ reg_number: z.string(), tracker_id: z.int().nullable() });
    const { list } = await caller.read("/vehicle/list", filterBy(text), z.object({ list: z.array(Vehicle) }));
    return list.map(({ id, label, reg_number, tracker_id }) => {
      return { kind: "vehicle", id, name: label, tracker_id, detail: reg_number };
    });
  },
  async employee(text, caller) {
    const Employee = z.object({
      id: z.int(),
      first_name: z.string(),
      middle_name: z.string(),
      last_name: z.string(),
      tracker_id: z.int().nullable(),
    });
    const { list } = await caller.read("/employee/list", filterBy(text), z.object({ list: z.array(Employee) }));
    return list.map(({ id, first_name, middle_name, last_name, tracker_id }) => {
      const name = [first_name, middle_name, last_name].filter((part) => part !== "").join(" ");
      return { kind: "employee", id, name, tracker_id };
    });
  },
  async zone(text, caller) {
    const Zone = Named.extend({ address: z.string() });
    const { list } = await caller.read("/zone/list", filterBy(text), z.object({ list: z.array(Zone) }));
    return list.map(({ id, label, address }) => ({ kind: "zone", id, name: label, detail: address }));
  },
  async place(text, caller) {
    const Place = Named.extend({ location: z.object({ address: z.string() }) });
    const { list } = await caller.read("/place/list", filterBy(text), z.object({ list: z.array(Place) }));
    return list.map(({ id, label, location }) => ({ kind: "place", id, name: label, detail: location.address }));
  },
  async task(text, caller) {
    const Task = Named.extend({ status: z.string(), tracker_id: z.int().nullable() });
    const { list } = await caller.read("/task/list", filterBy(text), z.object({ list: z.array(Task) }));
    return list.map(({ id, label, status, tracker_id }) => {
      return { kind: "task", id, name: label, tracker_id, detail: status };
    });
  },
};

function filterBy(text: string) {
  return { filter: text, limit: MAX_PER_KIND };
}

// Object.keys loses the literal type of SEARCHES.
const ALL_KINDS = Object.keys(SEARCHES) as Kind[];
const MAX_PER_KIND = 20;
