import { type Category, categoryOf } from "../results/final-status.ts";
import type { CriterionDetail, RowDetail, RunDetails } from "../results/run-details.ts";
import type { RunRow } from "../results/run-row.ts";
import { attemptCell, hasHistory } from "./attempt-text.ts";
import { html, type SafeHtml } from "./html.ts";
import { fixed, plural, score, seconds, thousands } from "./number-text.ts";
import type { RowNames } from "./row-names.ts";
import { reasonOf } from "./row-text.ts";
import { worstFirst } from "./worst-first.ts";

/** Browsers become slow beyond this; the rest is in `run.md`. */
const maxRows = 2000;
/** Of why an earlier attempt was no success. */
const reasonChars = 300;

const kinds = { succeeded: "ok", failed: "bad", error: "err", ungraded: "open" } as const satisfies Record<Category, string>;

/** All rows, those that did not succeed first, the worst of them at the top, each to be opened for its criteria and log. Filtered by radio buttons, without scripts. */
export function htmlRows(rows: readonly RunRow[], names: RowNames, details: RunDetails | undefined): SafeHtml {
  if (rows.length === 0) return html``;
  const succeeded = rows.filter((row) => categoryOf(row.status) === "succeeded");
  const missed = [...worstFirst(rows), ...rows.filter((row) => categoryOf(row.status) === "ungraded")];
  const shown = [...missed, ...succeeded].slice(0, maxRows);
  const left = rows.length - shown.length;
  return html`<section class="rows"><h2>Tasks <small>${rows.length}</small></h2>
<input type="radio" name="show" id="show-all" checked><label for="show-all">all</label>
<input type="radio" name="show" id="show-missed"><label for="show-missed">not passed (${missed.length})</label>
<input type="radio" name="show" id="show-ok"><label for="show-ok">passed (${succeeded.length})</label>
<div class="table">${shown.map((row) => rowBlock(row, names.of(row), details?.of(row)))}</div>
${left > 0 ? html`<p class="more">… and ${plural(left, "more task")}: see run.md</p>` : html``}</section>`;
}

function rowBlock(row: RunRow, name: string, detail: RowDetail | undefined): SafeHtml {
  const kind = kinds[categoryOf(row.status)];
  const why = kind === "ok" ? (detail?.description ?? "") : reasonOf(row);
  const duration = row.duration === null || row.duration === 0 ? "–" : seconds(row.duration);
  return html`<details class="row ${kind}"><summary><span class="status">${breakable(row.status)}</span><span class="name">${name}${mark(row)}</span><span class="why">${why.slice(0, 300)}</span><span class="score">${row.weighted_score === null ? "–" : score(row.weighted_score)}</span><span class="time">${duration}</span></summary>
<div class="body">${facts(row)}${detail === undefined ? fromRow(row) : fromDetail(detail)}</div></details>
`;
}

/** What a reader of the list must know of a result: that it was not made now. */
function mark({ kept, attempt }: RunRow): SafeHtml {
  const words = kept ? "kept" : attempt > 1 ? `attempt ${attempt}` : "";
  return words === "" ? html`` : html` <small class="mark">${words}</small>`;
}

/** `MAX_TURNS_EXHAUSTED` breaks at its underscores where the column is narrow. */
function breakable(status: string): SafeHtml {
  return html`${status.split("_").map((word, index) => (index === 0 ? html`${word}` : html`_<wbr>${word}`))}`;
}

function facts(row: RunRow): SafeHtml {
  const known: readonly (readonly [string, string])[] = [
    ["attempt", hasHistory(row) ? attemptCell(row, reasonChars) : ""],
    ["task file", row.task_path ?? ""],
    ["files", row.result_dir ?? ""],
    ["model", row.model_used ?? ""],
    ["tags", row.tags.join(", ")],
    ["turns", row.total_turns > 0 ? String(row.total_turns) : ""],
    ["tokens", row.total_tokens === null || (row.total_tokens === 0 && !row.cost_complete) ? "" : thousands(row.total_tokens)],
    ["cost", costOf(row)],
    ["error category", row.error_category ?? ""],
  ];
  const items = known.filter(([, value]) => value !== "").map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
  return html`<dl>${items}</dl>`;
}

/** Unknown spend is not zero. */
function costOf({ total_cost_usd: cost, cost_complete: complete }: RunRow): string {
  if (cost === null) return complete ? "" : "not known";
  return `${complete ? "" : "≥ "}$${fixed(cost, 4)}`;
}

function fromDetail(detail: RowDetail): SafeHtml {
  const left = detail.criteriaLeftOut > 0 ? html`<li>… and ${detail.criteriaLeftOut} more in task.json</li>` : html``;
  const criteria = detail.criteria.length === 0 ? html`` : html`<ul class="criteria">${detail.criteria.map(criterionItem)}${left}</ul>`;
  return html`${detail.description === "" ? html`` : html`<p>${detail.description}</p>`}${errorBlock(detail.errorMessage)}${criteria}${logBlock(detail.logTail)}`;
}

/** Without the result at hand: what the row itself tells. */
function fromRow(row: RunRow): SafeHtml {
  const criteria = row.failure?.criteria ?? [];
  const items = criteria.map(
    (criterion) =>
      html`<li class="missed"><b>${criterion.description}</b> <small>${criterion.type}, ${score(criterion.score)} of ${score(criterion.pass_threshold)}</small><pre>${criterion.message}</pre></li>`,
  );
  return html`${errorBlock(row.error_message)}${items.length === 0 ? html`` : html`<ul class="criteria">${items}</ul>`}${logBlock(row.failure?.log_tail ?? null)}`;
}

function criterionItem(criterion: CriterionDetail): SafeHtml {
  const kind = criterion.missed ? "missed" : criterion.gating ? "met" : "informs";
  const texts = [criterion.error, criterion.details].filter((text) => text !== null && text.trim() !== "");
  const needed = criterion.gating ? `needs ${score(criterion.threshold)}` : "for information";
  return html`<li class="${kind}"><b>${criterion.description}</b> <small>${criterion.type}, ${score(criterion.score)}, ${needed}</small>${texts.map((text) => html`<pre>${text ?? ""}</pre>`)}</li>`;
}

function errorBlock(message: string | null): SafeHtml {
  return message === null || message === "" ? html`` : html`<pre class="error">${message}</pre>`;
}

function logBlock(tail: string | null): SafeHtml {
  return tail === null || tail === "" ? html`` : html`<p class="label">End of the log</p><pre class="log">${tail}</pre>`;
}
