/** Codes of a disk that takes no more; SQLite has words instead. */
const FULL = /^(?:ENOSPC|EDQUOT|EFBIG)$/;
const FULL_TEXT = /database or disk is full|disk I\/O error/;

/** One sentence for what a backup or a restore into `folder` failed with. */
export function sentenceOf(thrown: unknown, folder: string): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code = "" } = thrown as NodeJS.ErrnoException; // what Node throws for a system call
  if (FULL.test(code) || FULL_TEXT.test(thrown.message)) {
    return `There is not enough room for ${folder}: nothing of it was kept. Free some, or name a folder on another disk.`;
  }
  if (["EACCES", "EROFS", "EPERM"].includes(code)) {
    return `${folder} or the data folder is closed to this user (${thrown.message}): run the command as the user that the system runs as.`;
  }
  return thrown.message;
}
