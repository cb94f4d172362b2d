import { activate, resendActivation, showLink } from "./activation/operations.ts";
import { createApiKey, deleteKey, listApiKeys } from "./api-key/operations.ts";
import { checkIn, listEntries } from "./audit/operations.ts";
import { nothing } from "./base/operations.ts";
import { getUiConfig } from "./dealer/operations.ts";
import { createDeliverySession, readDeliverySession } from "./delivery-session/operations.ts";
import { readDefaultMenu, readMenu, updateDefaultMenu, updateMenu } from "./menu/operations.ts";
import { authenticateOperator, getPermissions, logoutOperator } from "./panel/account.ts";
import {
  blockDealer,
  readServiceSettings,
  readTrackerDefaults,
  updateServiceSettings,
  updateTrackerDefaults,
} from "./panel/dealer.ts";
import { listMail } from "./panel/mail.ts";
import { createCodes, importBundles, listCodes, listEquipment } from "./panel/stock.ts";
import { createTariff, listTariffs, readTariff, updateTariff } from "./panel/tariff.ts";
import { createUser, updateUser } from "./panel/user.ts";
import { createUserSession, listUsers, readUser, setPassword } from "./panel/users.ts";
import {
  changeTariff,
  cloneTracker,
  corruptTracker,
  listTrackers,
  readTracker,
  updateSource,
  updateTracker,
} from "./panel-tracker/operations.ts";
import { askForPassword, changePassword, setPassword as setOwnPassword } from "./password/operations.ts";
import { bindPushToken, deletePushToken, readVapidKey } from "./push/operations.ts";
import { corruptUser } from "./removed-user/operations.ts";
import { resendCode, verifyCode } from "./second-factor/operations.ts";
import { createTotp } from "./second-factor/totp-operations.ts";
import { assignToGroup, changeGroup, createGroup, listGroups, removeGroup } from "./security-group/operations.ts";
import { authenticate, logout, renewSession } from "./session/operations.ts";
import {
  readSettings,
  readUiSetting,
  updateFileStorage,
  updatePersonalInfo,
  updateSettings,
  updateUiSetting,
} from "./settings/operations.ts";
import { changeSubDealer, createSubDealer, listSubDealers, readSubDealer } from "./sub-dealer/operations.ts";
import {
  changeSubUser,
  createSubUserSession,
  listSubUsers,
  registerSubUser,
  removeSubUser,
} from "./sub-user/operations.ts";
import { bindToSubUser, listBound, unbindFromSubUser } from "./sub-user/tracker-operations.ts";
import { listTimeZones } from "./timezone/operations.ts";
import { getInfo, getTariffRestrictions } from "./user/operations.ts";

export const operations = [
  authenticate,
  logout,
  renewSession,
  verifyCode,
  resendCode,
  createTotp,
  activate,
  resendActivation,
  showLink,
  setOwnPassword,
  changePassword,
  askForPassword,
  readVapidKey,
  bindPushToken,
  deletePushToken,
  createDeliverySession,
  readDeliverySession,
  readSettings,
  updateSettings,
  updateFileStorage,
  readUiSetting,
  updateUiSetting,
  updatePersonalInfo,
  listEntries,
  checkIn,
  getInfo,
  getTariffRestrictions,
  getUiConfig,
  registerSubUser,
  changeSubUser,
  listSubUsers,
  removeSubUser,
  createSubUserSession,
  bindToSubUser,
  unbindFromSubUser,
  listBound,
  createGroup,
  changeGroup,
  removeGroup,
  listGroups,
  assignToGroup,
  createApiKey,
  listApiKeys,
  deleteKey,
  listTimeZones,
  nothing,
  authenticateOperator,
  getPermissions,
  logoutOperator,
  createTariff,
  updateTariff,
  listTariffs,
  readTariff,
  createUser,
  updateUser,
  readUser,
  listUsers,
  setPassword,
  createUserSession,
  readMenu,
  updateMenu,
  readDefaultMenu,
  updateDefaultMenu,
  listEquipment,
  importBundles,
  createCodes,
  listCodes,
  blockDealer,
  createSubDealer,
  listSubDealers,
  readSubDealer,
  changeSubDealer,
  readServiceSettings,
  updateServiceSettings,
  readTrackerDefaults,
  updateTrackerDefaults,
  updateSource,
  listTrackers,
  readTracker,
  updateTracker,
  changeTariff,
  cloneTracker,
  corruptTracker,
  corruptUser,
  listMail,
];
