export { ApiError, type ParameterError } from "./api-error.ts";
export { type ClientOptions, FleetClient } from "./client.ts";
export type { LiveMessage, LiveOptions, LiveRequest } from "./live.ts";
export type { CallPath, FilePath, Item, PagePath, Parameters, Reply, Schemas } from "./operation-types.ts";
export type { Credentials } from "./session.ts";
export type { CallOptions } from "./transport.ts";
export type { Ticket, Uploaded } from "./upload.ts";
export { verifyWebhook, WebhookError, type WebhookEvent } from "./webhook.ts";
