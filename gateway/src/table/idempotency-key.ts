export { idempotencyKey } from "#shared/database/idempotency-key.ts";
