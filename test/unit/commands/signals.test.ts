import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import test from "node:test";
import { stopOnSignals } from "../../../src/commands/signals.ts";

function setUp() {
  const source = new EventEmitter();
  const exits: number[] = [];
  const stops: string[] = [];
  let now = 0;
  const handlers = stopOnSignals(source, {
    onStop: (name) => void stops.push(name),
    exit: (code) => void exits.push(code),
    monotonicMs: () => now,
  });
  const advance = (ms: number): void => {
    now += ms;
  };
  return { source, exits, stops, handlers, advance };
}

test("the first signal of any kind aborts and does not exit", () => {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    const { source, exits, stops, handlers } = setUp();
    source.emit(name, name);
    assert.equal(handlers.signal.aborted, true);
    assert.deepEqual(stops, [name]);
    assert.deepEqual(exits, []);
    handlers.release();
  }
});

test("the same Ctrl-C delivered twice does not force the exit, a later second one does", () => {
  const { source, exits, handlers, advance } = setUp();
  source.emit("SIGINT", "SIGINT");
  advance(200);
  source.emit("SIGINT", "SIGINT");
  assert.deepEqual(exits, []);
  advance(900);
  source.emit("SIGINT", "SIGINT");
  assert.deepEqual(exits, [130]);
  handlers.release();
});

test("leaves no handler behind", () => {
  const { source, handlers } = setUp();
  handlers.release();
  assert.equal(source.listenerCount("SIGINT") + source.listenerCount("SIGTERM") + source.listenerCount("SIGHUP"), 0);
});
