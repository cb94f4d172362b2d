// Why a command cannot work on this machine, in one sentence each. Plain JavaScript: Node 20 must understand this file.
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";

const GIGABYTE = 1024 ** 3;
const LEAST_FREE_GIGABYTES = 2;

/** The sentence for a folder that a command writes to, or will make; undefined where nothing is in the way. */
export function obstacleIn(folder, { access = accessSync, statfs = statfsSync } = {}) {
  const existing = nearestExisting(folder);
  try {
    access(existing, constants.W_OK);
  } catch {
    return `${folder} cannot be written to: run the command as a user who may, or choose another folder.`;
  }
  const { bavail, bsize } = statfs(existing);
  const free = (bavail * bsize) / GIGABYTE;
  if (free >= LEAST_FREE_GIGABYTES) return undefined;
  return `The disk of ${folder} has only ${Math.floor(free * 10) / 10} GB free: ${LEAST_FREE_GIGABYTES} GB are needed.`;
}

/** The sentence for an installation that failed, from all that npm has printed. */
export function installObstacle(output) {
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/.test(output)) {
    return "The packages cannot be installed without a network: connect to one and run the command again.";
  }
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return "The packages cannot be installed: node_modules cannot be written to by this user.";
  }
  if (/\bENOSPC\b/.test(output)) return "The packages cannot be installed: the disk is full.";
  const [reason = "npm ci failed"] = output.split("\n").filter((line) => /\S/.test(line));
  return `The packages cannot be installed: ${reason.replace(/^npm (error|ERR!) */, "")}`;
}

function nearestExisting(folder) {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}
