import { createApiKey, deleteKey, listApiKeys } from "./api-key/operations.ts";
import { nothing } from "./base/operations.ts";
import { authenticateOperator, getPermissions, logoutOperator } from "./panel/account.ts";
import { blockDealer } from "./panel/dealer.ts";
import { listMail } from "./panel/mail.ts";
import { createPlan, listPlans, readPlan, updatePlan } from "./panel/plan.ts";
import { updateSource } from "./panel/tracker.ts";
import { createUser, updateUser } from "./panel/user.ts";
import { createUserSession, listUsers, readUser, setPassword } from "./panel/users.ts";
import { authenticate, logout, renewSession } from "./session/operations.ts";
import { listTimeZones } from "./timezone/operations.ts";
import { getInfo, getTariffRestrictions } from "./user/operations.ts";

export const operations = [
  authenticate,
  logout,
  renewSession,
  getInfo,
  getTariffRestrictions,
  createApiKey,
  listApiKeys,
  deleteKey,
  listTimeZones,
  nothing,
  authenticateOperator,
  getPermissions,
  logoutOperator,
  createPlan,
  updatePlan,
  listPlans,
  readPlan,
  createUser,
  updateUser,
  readUser,
  listUsers,
  setPassword,
  createUserSession,
  blockDealer,
  updateSource,
  listMail,
];
