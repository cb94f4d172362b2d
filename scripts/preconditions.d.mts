type System = {
  access?(path: string, mode: number): void;
  statfs?(path: string): { bavail: number; bsize: number };
};
export function obstacleIn(folder: string, system?: System): string | undefined;
export function installObstacle(output: string): string;
