import { checkIn, listEntries } from "./audit/operations.ts";
import { createApiKey, deleteKey, listApiKeys } from "./credential/api-key/operations.ts";
import { createDeliverySession, readDeliverySession } from "./credential/delivery-session/operations.ts";
import { getUiConfig } from "./dealer/operations.ts";
import { changeSubDealer, createSubDealer, listSubDealers, readSubDealer } from "./dealer/sub-dealer/operations.ts";
import { activate, resendActivation, showLink } from "./login/activation/operations.ts";
import { authenticate, logout, renewSession } from "./login/operations.ts";
import { askForPassword, changePassword, setPassword as setOwnPassword } from "./login/password/operations.ts";
import { resendCode, verifyCode } from "./login/second-factor/operations.ts";
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
import {
  changeTariff,
  cloneTracker,
  corruptTracker,
  listTrackers,
  readTracker,
  updateSource,
  updateTracker,
} from "./panel/tracker/operations.ts";
import { createUser, updateUser } from "./panel/user.ts";
import { createUserSession, listUsers, readUser, setPassword } from "./panel/users.ts";
import { bindPushToken, deletePushToken, readVapidKey } from "./push/operations.ts";
import { nothing } from "./receive/base/operations.ts";
import { assignToGroup, changeGroup, createGroup, listGroups, removeGroup } from "./sub-user/group/operations.ts";
import {
  changeSubUser,
  createSubUserSession,
  listSubUsers,
  registerSubUser,
  removeSubUser,
} from "./sub-user/operations.ts";
import { bindToSubUser, listBound, unbindFromSubUser } from "./sub-user/tracker-operations.ts";
import { readDefaultMenu, readMenu, updateDefaultMenu, updateMenu } from "./user/menu/operations.ts";
import { getInfo, getTariffRestrictions } from "./user/operations.ts";
import { corruptUser } from "./user/removal/operations.ts";
import {
  readSettings,
  readUiSetting,
  updateFileStorage,
  updatePersonalInfo,
  updateSettings,
  updateUiSetting,
} from "./user/settings/operations.ts";
import { createTotp } from "./user/settings/second-factor.ts";
import { listTimeZones } from "./user/timezone/operations.ts";

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
