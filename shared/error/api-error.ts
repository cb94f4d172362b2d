/** HTTP status and description of each error code. Descriptions may change; clients test the code. */
export const ERRORS = {
  1: [500, "Database error"],
  2: [403, "Service authorisation failed"],
  3: [400, "Wrong hash"],
  4: [400, "User or API key not found, or session ended"],
  5: [400, "Malformed request"],
  6: [500, "Unexpected error"],
  7: [400, "Invalid parameters"],
  8: [503, "Queue service error, try again later"],
  9: [412, "Request too large"],
  11: [403, "Access denied"],
  12: [400, "Dealer not found"],
  13: [403, "Operation not permitted"],
  14: [503, "Service or database unavailable, try again later"],
  15: [429, "Too many requests"],
  101: [403, "Disabled in demo mode"],
  102: [400, "Wrong login or password"],
  103: [400, "User not activated"],
  104: [400, "Logins limit exceeded"],
  105: [400, "Login attempts limit exceeded, try again later"],
  111: [400, "Wrong handler: unknown resource"],
  112: [400, "Wrong method: unknown action"],
  201: [400, "Not found in the database"],
  202: [400, "Too many points in a geofence"],
  203: [400, "Entity is associated with others"],
  204: [404, "Entity not found"],
  206: [400, "Login already in use"],
  207: [400, "Invalid captcha"],
  208: [403, "Device blocked"],
  209: [400, "Failed sending e-mail"],
  210: [400, "Geocoding failed"],
  211: [400, "Requested time span is too big"],
  212: [400, "Requested limit is too big"],
  213: [400, "Device is offline"],
  214: [400, "Not supported by the device"],
  215: [400, "External service error"],
  217: [400, "List contains non-existent entities"],
  218: [400, "Malformed external parameters"],
  219: [403, "Not allowed for clones of the device"],
  220: [400, "Unknown device model"],
  221: [403, "Device limit exceeded"],
  222: [400, "Plugin not found"],
  223: [400, "Phone number already in use"],
  224: [400, "Device ID already in use"],
  225: [403, "Not allowed for this legal type"],
  226: [400, "Wrong ICCID"],
  227: [400, "Wrong activation code"],
  228: [400, "Not supported by the sensor"],
  229: [404, "Requested data is not ready yet"],
  230: [400, "Not supported for this entity type"],
  231: [409, "Entity type mismatch"],
  232: [400, "Input already in use"],
  233: [400, "No data file"],
  234: [400, "Invalid data format"],
  235: [400, "Calibration data missing"],
  236: [402, "Feature unavailable due to tariff restrictions"],
  237: [400, "Invalid tariff"],
  238: [403, "Tariff change not allowed"],
  239: [404, "New tariff does not exist"],
  240: [403, "Tariff changed too recently"],
  241: [400, "Phone of a bundled SIM cannot be changed"],
  242: [400, "Errors during content validation"],
  243: [400, "Device already connected"],
  244: [400, "Label already in use"],
  245: [400, "New password equals the old one"],
  246: [400, "Invalid user ID"],
  247: [409, "Entity already exists"],
  248: [400, "Wrong password"],
  249: [403, "Allowed for clones only"],
  250: [403, "Not allowed for deleted devices"],
  251: [403, "Insufficient funds"],
  252: [400, "Device already removed"],
  253: [400, "Device has clones"],
  254: [500, "Cannot save file"],
  255: [400, "Invalid task state"],
  256: [400, "Location already up to date"],
  257: [403, "Registration forbidden"],
  258: [404, "Bundle not found"],
  259: [400, "Payment count does not match"],
  260: [400, "Payment sum does not match"],
  261: [403, "Entity has external links"],
  262: [400, "List is incomplete or names unknown entries"],
  263: [400, "No change needed"],
  264: [403, "Timeout not reached"],
  265: [403, "Already done"],
  266: [403, "Not possible in the status of the device"],
  267: [400, "Too many entities"],
  268: [402, "Over quota"],
  269: [400, "Invalid file state"],
  270: [400, "Too many sensors of one type"],
  271: [413, "File is larger than the allowed maximum"],
  272: [400, "Trackers must share a model"],
  273: [400, "Duplicate login"],
  274: [400, "Empty data file"],
  275: [403, "User is blocked"],
  276: [403, "Forbidden for this session type"],
  277: [409, "Security group is in use"],
  278: [409, "Security group is a default one"],
  279: [400, "Invalid task period"],
  280: [400, "Invalid import state"],
  281: [400, "Resource is closed"],
  282: [400, "Wrong authentication code"],
  284: [400, "Too few points for the geofence"],
  286: [400, "Asset group conflict"],
  287: [400, "Asset group conflict"],
  288: [400, "Asset group conflict"],
  289: [400, "Asset group conflict"],
  290: [400, "Asset group conflict"],
  291: [400, "Asset group conflict"],
} as const satisfies Record<number, readonly [number, string]>;

export type ErrorCode = keyof typeof ERRORS;
export type Extra = Record<string, unknown>;
/** An invalid parameter by its dotted path, and what is wrong with it. */
export type Offence = { parameter: string; error: string };

/** An error for the caller: its code, and members beside `status`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly extra: Extra;

  constructor(code: ErrorCode, extra: Extra = {}, options?: ErrorOptions) {
    super(`${code} ${ERRORS[code][1]}`, options);
    this.name = "ApiError";
    this.code = code;
    this.extra = extra;
  }
}

/** Code 7 for one parameter. */
export function invalid(parameter: string, error: string) {
  return new ApiError(7, { errors: [{ parameter, error } satisfies Offence] });
}

/** Recognised by members: an error that crosses RPC loses its class. */
export function isApiError(thrown: unknown): thrown is Pick<ApiError, "code" | "extra"> {
  return (
    typeof thrown === "object" &&
    thrown !== null &&
    "code" in thrown &&
    "extra" in thrown &&
    Number(thrown.code) in ERRORS
  );
}

/** The contract's failure envelope. */
export function envelope(code: ErrorCode, extra: Extra = {}) {
  return { success: false, status: { code, description: ERRORS[code][1] }, ...extra };
}
