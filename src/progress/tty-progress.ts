import { visibleText } from "../untrusted/characters.ts";
import { logLines } from "../untrusted/log.ts";
import { rowRest, startText } from "./plain-progress.ts";
import type { Progress, Screen } from "./progress.ts";
import { createTally, formatSeconds } from "./tally.ts";

const redrawMs = 100;
const shownTasks = 10;
const escapeCode = "\u001b[";

/** Live view for a terminal: finished rows scroll by, below them the running tasks with their time, and the counts. */
export function createTtyProgress(screen: Screen, monotonicMs: () => number): Progress {
  const tally = createTally();
  const running = new Map<string, { readonly startedMs: number; stage: string }>();
  let drawnLines = 0;
  let timer: NodeJS.Timeout | undefined;
  let pending: string[] = [];
  let nameOf = (key: string): string => key;

  const fit = (text: string): string => {
    const chars = [...text];
    return chars.length < screen.columns ? text : `${chars.slice(0, screen.columns - 2).join("")}…`;
  };
  const liveLines = (): string[] => {
    const { done, total, passed } = tally.now();
    const now = monotonicMs();
    const tasks = [...running]
      .slice(0, shownTasks)
      .map(
        ([key, task]) =>
          `  ${formatSeconds((now - task.startedMs) / 1000).padStart(7)}  ${task.stage.padEnd(8)}  ${visibleText(nameOf(key))}`,
      );
    const more = running.size > shownTasks ? [`           … and ${running.size - shownTasks} more`] : [];
    const rate = done === 0 ? "–" : `${Math.round((passed / done) * 100)}%`;
    return [...tasks, ...more, `${done}/${total} done, ${running.size} running, ${rate} passed`].map(fit);
  };
  /** One synchronous write: erase the old block, print what scrolls, draw the new block. */
  const draw = (live: readonly string[]): void => {
    const erase = drawnLines === 0 ? "" : `${escapeCode}${drawnLines}A${escapeCode}0J`;
    const scrolled = pending.map((line) => `${line}\n`).join("");
    screen.write(`${erase}${scrolled}${live.map((line) => `${line}\n`).join("")}`);
    pending = [];
    drawnLines = live.length;
  };
  const scroll = (prefix: string, text: string, colour?: "red" | "green" | "yellow"): void => {
    for (const clean of logLines(text, prefix)) pending.push(paint(clean, screen.colour ? colour : undefined));
    if (timer === undefined) draw([]);
  };

  return {
    started(total, concurrency, names) {
      nameOf = names;
      tally.begin(total);
      scroll("running ", startText(total, concurrency));
      timer = setInterval(() => draw(liveLines()), redrawMs);
      timer.unref();
    },
    taskStarted(key) {
      tally.started();
      running.set(key, { startedMs: monotonicMs(), stage: "start" });
    },
    stage(key, stage) {
      const task = running.get(key);
      if (task !== undefined) task.stage = stage;
    },
    finished(row) {
      running.delete(row.key);
      tally.finished(row);
      scroll(`${row.status.padEnd(9)} `, rowRest(row, nameOf(row.key)), row.status === "SUCCESS" ? "green" : "red");
    },
    notRun(key, reason) {
      tally.notRun(running.delete(key));
      scroll("not run   ", `       ${nameOf(key)}  ${reason}`, "yellow");
    },
    output: (key, source, text) => scroll(`${nameOf(key)} ${source} | `, text),
    notice: (message) => scroll("note: ", message),
    warning: (message) => scroll("warning: ", message, "yellow"),
    finding: (text) => scroll("| ", text, "yellow"),
    close() {
      clearInterval(timer);
      timer = undefined;
      draw([]);
    },
  };
}

const colours = { red: 31, green: 32, yellow: 33 } as const;

function paint(text: string, colour: keyof typeof colours | undefined): string {
  return colour === undefined ? text : `${escapeCode}${colours[colour]}m${text}${escapeCode}0m`;
}
