// Loaded before the program: kills the process in the moment before, or after, its n-th file gets its name.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [nth, when] = (process.env.EVALBATCH_TEST_KILL ?? "").split(" ");
const { rename } = fs.promises;
let count = 0;
Object.assign(fs.promises, {
  async rename(...[from, to]: Parameters<typeof rename>): Promise<void> {
    count += 1;
    const isDue = count === Number(nth);
    if (isDue && when === "before") process.kill(process.pid, "SIGKILL");
    await rename(from, to);
    if (isDue) process.kill(process.pid, "SIGKILL");
  },
});
syncBuiltinESMExports();
