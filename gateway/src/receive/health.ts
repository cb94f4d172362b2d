import { databaseAnswers } from "#shared/database/open.ts";
import type { GatewayCall } from "./gateway-call.ts";
import { reply } from "./reply.ts";

/** Whether every Worker reaches its database; 503 names the one that does not. */
export async function health(call: GatewayCall): Promise<Response> {
  const { env } = call;
  const answers = {
    gateway: databaseAnswers(env),
    fleet: env.FLEET.healthy(),
    tasks: env.TASKS.healthy(),
    geo: env.GEO.healthy(),
    files: env.FILES.healthy(),
    reports: env.REPORTS.healthy(),
  };
  const services = await Promise.all(
    Object.entries(answers).map(async ([name, answer]) => {
      const healthy = await Promise.resolve(answer).catch(() => false);
      return [name, healthy ? "ok" : "database unavailable"] as const;
    }),
  );
  const success = services.every(([, state]) => state === "ok");
  const answer = { success, services: Object.fromEntries(services) };
  return reply(call, Response.json(answer, { status: success ? 200 : 503 }));
}
