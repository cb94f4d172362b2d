import { recordsIn } from "#shared/audit-outbox.ts";
import { auditOutbox } from "./table.ts";

export const { recording, recordingEach, deliver } = recordsIn(auditOutbox);
