import { databaseAnswers } from "#shared/database/open.ts";
import type { GatewayCall } from "./call/gateway-call.ts";
import { reply } from "./reply.ts";

/** Answers whether every Worker reaches its databases; 503 names those that do not. */
export async function showHealth(call: GatewayCall): Promise<Response> {
  const { env } = call;
  const answers = {
    gateway: databaseAnswers(env).then((isThere) => (isThere ? [] : ["database"])),
    fleet: env.FLEET.silentDatabases(),
    tasks: env.TASKS.silentDatabases(),
    geo: env.GEO.silentDatabases(),
    files: env.FILES.silentDatabases(),
    reports: env.REPORTS.silentDatabases(),
  };
  const services = await Promise.all(
    Object.entries(answers).map(async ([name, answer]) => {
      const silent = await Promise.resolve(answer).catch(() => ["database"]);
      return [name, silent.length === 0 ? "ok" : `${silent.join(", ")} unavailable`] as const;
    }),
  );
  const success = services.every(([, state]) => state === "ok");
  const answer = { success, services: Object.fromEntries(services) };
  return reply(call, Response.json(answer, { status: success ? 200 : 503 }));
}
