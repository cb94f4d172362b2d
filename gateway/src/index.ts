import { DurableObject } from "cloudflare:workers";
import { databaseAnswers } from "#shared/database.ts";
import type { GatewayEnv } from "./env.ts";

export class CredentialGuard extends DurableObject<GatewayEnv> {}
export class LoginAttempts extends DurableObject<GatewayEnv> {}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname !== "/health") return new Response(null, { status: 404 });
    const [gateway, fleet, tasks, geo, files, reports] = await Promise.all([
      databaseAnswers(env),
      env.FLEET.healthy(),
      env.TASKS.healthy(),
      env.GEO.healthy(),
      env.FILES.healthy(),
      env.REPORTS.healthy(),
    ]);
    return Response.json({ success: true, services: { gateway, fleet, tasks, geo, files, reports } });
  },
} satisfies ExportedHandler<GatewayEnv>;
