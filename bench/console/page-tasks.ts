import type { Browser, Page } from "playwright-core";

/** A task of the page's main thread. In the rest of `ms` the thread waited: for the drawing process, or a processor. */
export type Task = { ms: number; processorMs: number };

type TraceEvent = { name: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number };

/** Records the browser while `work` is done; answers the page's tasks that began before `mark` was set by `performance.mark`, and after it. */
export async function traceTasks(browser: Browser, page: Page, mark: string, work: () => Promise<void>) {
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline", "blink.user_timing"] });
  await work();
  const trace = await browser.stopTracing();
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString());
  const set = traceEvents.find(({ name }) => name === mark);
  if (!set) throw new Error(`the page set no mark ${mark}`);
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === "RunTask" && pid === set.pid && tid === set.tid);
  return {
    before: tasks.filter(({ ts }) => ts < set.ts).map(toTask),
    after: tasks.filter(({ ts }) => ts >= set.ts).map(toTask),
  };
}

/** The longest time of a task, and the most work in one, which may be another: on a busy machine the longest one mostly waits. */
export function longestOf(tasks: Task[]): Task {
  const most = (values: number[]) => values.reduce((one, other) => Math.max(one, other), 0);
  return { ms: most(tasks.map(({ ms }) => ms)), processorMs: most(tasks.map(({ processorMs }) => processorMs)) };
}

/** The trace counts microseconds. */
function toTask({ dur = 0, tdur = 0 }: TraceEvent): Task {
  return { ms: dur / 1000, processorMs: tdur / 1000 };
}
