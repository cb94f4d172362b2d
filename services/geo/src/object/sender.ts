export type Sender = { device_id: string; key: string | null };

export type Refusal = "unknown" | "blocked" | "key" | "busy";
