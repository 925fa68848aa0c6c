import type { Found, MachineTools } from "./regex-machine-tools.ts";
import type { Program } from "./regex-program.ts";

/**
 * Searches a text (one code point per element, then -1) as CPython's own matcher does: depth first, with an explicit stack.
 * The match begins at `from` or behind it; with `advance` an empty one at `from` does not count (what `re.sub` asks for).
 * This function runs in the worker from its source text: it must not use anything but its arguments and JavaScript's
 * own globals. The numbers of the cases are those of `opcodes` in `regex-program.ts`.
 * Python's meaning that JavaScript's own expressions do not have lives here: groups keep their text from one round of a
 * loop to the next; a reference to a group that took no part fails; a round that matched nothing ends its loop.
 */
export function runProgram(program: Program, text: Int32Array, maxWords: number, tools: MachineTools, from = 0, advance = false): Found {
  const { code, classes, minWidth } = program;
  const { inClass, anchorHolds, endOfReference, endOfRun, larger } = tools;
  const end = text.length - 1;
  const registers = new Int32Array(program.registers);
  const lower = program.lower.map(tools.pairsToMap);
  const noClass = new Int32Array(64);
  // A choice: where to go on, at which position, how much of the trail to keep, and the bound of a single-character run
  // (-1: none, else the least position of a greedy run, or -2 - the last of a lazy one).
  let choices = new Int32Array(4096);
  let open = 0;
  // What registers held before they were overwritten: pairs of register and value.
  let trail = new Int32Array(4096);
  let kept = 0;
  let lastOpen = choices.length - 4;
  let lastKept = trail.length - 4;

  const firstClass = program.first < 0 ? undefined : classes[program.first];
  const lastStart = program.anchored ? Math.min(0, end - minWidth) : end - minWidth;
  for (let start = from; start <= lastStart; start += 1) {
    if (firstClass !== undefined) {
      while (start < end && !inClass(firstClass, text[start] ?? 0)) start += 1;
      if (start >= end || start > lastStart) return undefined;
    }
    registers.fill(-1);
    open = 0;
    kept = 0;
    let pc = 0;
    let position = start;
    let failed = false;
    for (;;) {
      if (failed) {
        if (open === 0) break;
        failed = false;
        const choice = open - 4;
        pc = choices[choice] ?? 0;
        position = choices[choice + 1] ?? 0;
        const keep = choices[choice + 2] ?? 0;
        while (kept > keep) {
          kept -= 2;
          registers[trail[kept] ?? 0] = trail[kept + 1] ?? 0;
        }
        const bound = choices[choice + 3] ?? 0;
        const literal = code[pc] === 2 ? (code[pc + 1] ?? -1) : -1;
        if (bound === -1) open = choice;
        else if (bound >= 0) {
          // A greedy run gives back one character, or as many as it takes to see the literal that comes next.
          position -= 1;
          if (literal >= 0) while (position >= bound && text[position] !== literal) position -= 1;
          if (position <= bound) open = choice;
          else choices[choice + 1] = position;
          failed = position < bound;
        } else {
          // A lazy run takes one more, or as many as it takes to see the literal that comes next.
          const op = code[pc - 4] ?? 0;
          const operand = code[pc - 3] ?? 0;
          const words = op === 5 ? (classes[operand] ?? noClass) : noClass;
          do {
            const character = text[position] ?? 0;
            failed =
              position >= -2 - bound ||
              (op === 5 ? !inClass(words, character) : op === 2 ? character !== operand : op === 3 && character === operand);
            position += 1;
          } while (!failed && literal >= 0 && text[position] !== literal);
          if (failed) open = choice;
          else choices[choice + 1] = position;
        }
        if (failed) continue;
      }
      // Room for what one step can push: a choice and two registers.
      if (open > lastOpen || kept > lastKept) {
        if (lastOpen + lastKept > maxWords) return "memory";
        if (open > lastOpen) choices = larger(choices);
        else trail = larger(trail);
        lastOpen = choices.length - 4;
        lastKept = trail.length - 4;
      }
      const op = code[pc] ?? 0;
      const operand = code[pc + 1] ?? 0;
      let writes = 0; // how many registers to set at the end of the step, from `operand` on
      let value = 0;
      let second = 0;
      let choose = -1;
      let bound = -1;
      switch (op) {
        case 0: // fail
          failed = true;
          break;
        case 1: // success
          failed = advance && start === from && position === from;
          if (failed) break;
          return Int32Array.of(start, position, ...registers.subarray(0, program.groups * 2));
        case 2: // literal
          failed = position >= end || text[position] !== operand;
          position += 1;
          pc += 2;
          break;
        case 3: // notLiteral
          failed = position >= end || text[position] === operand;
          position += 1;
          pc += 2;
          break;
        case 4: // any
          failed = position >= end;
          position += 1;
          pc += 1;
          break;
        case 5: // class
          failed = position >= end || !inClass(classes[operand] ?? noClass, text[position] ?? 0);
          position += 1;
          pc += 2;
          break;
        case 6: // split
          choose = operand;
          pc += 2;
          break;
        case 7: // jump
          pc = operand;
          break;
        case 8: // mark
          writes = 1;
          value = position;
          pc += 2;
          break;
        case 9: // anchor
          failed = !anchorHolds(operand, classes[code[pc + 2] ?? 0] ?? noClass, text, position, inClass);
          pc += 3;
          break;
        case 10: // reference, lowerReference
        case 11: {
          const map = op === 11 ? lower[code[pc + 2] ?? 0] : undefined;
          position = endOfReference(text, registers[operand] ?? -1, registers[operand + 1] ?? -1, position, map);
          failed = position < 0;
          pc += op === 11 ? 3 : 2;
          break;
        }
        case 12: // conditional
          second = registers[operand] ?? -1;
          pc = second >= 0 && (registers[operand + 1] ?? -1) >= second ? pc + 3 : (code[pc + 2] ?? 0);
          break;
        case 13: // loopStart
          writes = 2;
          value = 0;
          second = -1;
          pc += 2;
          break;
        case 14: // loop, lazyLoop
        case 15: {
          const rounds = registers[operand] ?? 0;
          const began = registers[operand + 1] ?? -1;
          if (rounds < (code[pc + 2] ?? 0)) {
            writes = 1;
            value = rounds + 1;
            pc += op === 14 ? 5 : 8;
          } else if (op === 15) {
            choose = pc + 5;
            pc = code[pc + 4] ?? 0;
          } else if (rounds < (code[pc + 3] ?? 0) && position !== began) {
            choose = code[pc + 4] ?? 0;
            writes = 2;
            value = rounds + 1;
            second = position;
            pc += 5;
          } else pc = code[pc + 4] ?? 0;
          break;
        }
        case 16: // lazyRound
          value = (registers[operand] ?? 0) + 1;
          failed = value > (code[pc + 2] ?? 0) || position === registers[operand + 1];
          writes = 2;
          second = position;
          pc += 3;
          break;
        case 17: // hold
        case 20: // holdNot
          writes = 2;
          value = open;
          second = position;
          if (op === 20) choose = code[pc + 2] ?? 0;
          pc += op === 20 ? 3 : 2;
          break;
        case 18: // commit
        case 19: // commitAndReturn
        case 21: // failNot
          open = registers[operand] ?? 0;
          if (op === 19) position = registers[operand + 1] ?? 0;
          failed = op === 21;
          pc += 2;
          break;
        case 22: // back
          position -= operand;
          failed = position < 0;
          pc += 2;
          break;
        default: {
          // greedy, lazy, possessive
          const which = code[pc + 2] ?? 0;
          const least = position + (code[pc + 3] ?? 0);
          const most = Math.min(end, position + (code[pc + 4] ?? 0));
          const limit = op === 24 ? Math.min(least, most) : most;
          position = endOfRun(operand, which, classes[which] ?? noClass, text, position, limit, inClass);
          failed = position < least;
          pc += 5;
          if (op === 23 && position > least) {
            choose = pc;
            bound = least;
          } else if (op === 24 && position < most) {
            choose = pc;
            bound = -2 - most;
          }
        }
      }
      if (failed) continue;
      if (choose >= 0) {
        choices[open] = choose;
        choices[open + 1] = position;
        choices[open + 2] = kept;
        choices[open + 3] = bound;
        open += 4;
      }
      if (writes === 0) continue;
      if (open > 0) {
        trail[kept] = operand;
        trail[kept + 1] = registers[operand] ?? -1;
        kept += 2;
        if (writes === 2) {
          trail[kept] = operand + 1;
          trail[kept + 1] = registers[operand + 1] ?? -1;
          kept += 2;
        }
      }
      registers[operand] = value;
      if (writes === 2) registers[operand + 1] = second;
    }
  }
  return undefined;
}
