import { once } from "node:events";

type Usage = { usedSize: number; backingStorageSize: number };

/** Memory of a Worker's isolate by its inspector: objects and buffers. */
export async function memoryOf(worker: string, inspectorPort: number) {
  const origin = `127.0.0.1:${inspectorPort}`;
  const isolates = (await (await fetch(`http://${origin}/json`)).json()) as { id: string }[];
  const isolate = isolates.find(({ id }) => id.endsWith(`:${worker}`));
  const socket = new WebSocket(`ws://${origin}/${isolate?.id}`);
  await once(socket, "open");
  const answers = new Map<number, (result: Usage) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    answers.get(id)?.(result);
  });
  let asked = 0;
  const ask = (method: string) =>
    new Promise<Usage>((resolve) => {
      answers.set(++asked, resolve);
      socket.send(JSON.stringify({ id: asked, method }));
    });
  const bufferBytes = async () => (await ask("Runtime.getHeapUsage")).backingStorageSize;
  async function bytes() {
    const { usedSize, backingStorageSize } = await ask("Runtime.getHeapUsage");
    return usedSize + backingStorageSize;
  }
  return {
    bytes,
    bufferBytes,
    /** Memory after garbage collection. Collecting breaks reads in progress: afterwards the connection is unusable. */
    async liveBytes() {
      await ask("HeapProfiler.collectGarbage");
      return bytes();
    },
    close: () => socket.close(),
  };
}
