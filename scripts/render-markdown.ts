// `node scripts/render-markdown.ts FILE.md [--width 390] [--out DIR] [--style FILE.css] [--open]`: shows Markdown as GitHub
// does, near enough to judge a report by eye, as a page and a picture of it. Needs chromium. `--style` adds a style sheet,
// such as one of an emoji font; `--open` unfolds every fold. Says whether the page would have to be scrolled sideways.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { githubStyle } from "./render/github-style.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: "string", default: "390" },
    out: { type: "string", default: "." },
    style: { type: "string" },
    open: { type: "boolean", default: false },
    chromium: { type: "string", default: "chromium" },
  },
});
const width = Number(values.width);
mkdirSync(values.out, { recursive: true });

for (const file of positionals) {
  const name = join(values.out, `${basename(file, ".md")}-${width}`);
  const page = resolve(`${name}.html`);
  writeFileSync(page, pageOf(readFileSync(file, "utf8")));
  const title = /<title>(\d+) (\d+)<\/title>/.exec(chromium(["--dump-dom", `--window-size=${width},800`, page]));
  const [height, scrollWidth] = [Number(title?.[1] ?? 2000), Number(title?.[2] ?? 0)];
  chromium([`--screenshot=${resolve(`${name}.png`)}`, `--window-size=${width},${Math.min(height, 12_000)}`, page]);
  const sideways = scrollWidth > width ? `, scrolls sideways (${scrollWidth} px)` : "";
  process.stdout.write(`${name}.png: ${width} × ${height} px${sideways}\n`);
}

function chromium(args: readonly string[]): string {
  const fixed = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--allow-file-access-from-files",
    "--virtual-time-budget=3000",
  ];
  const result = spawnSync(values.chromium, [...fixed, ...args], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, timeout: 120_000 });
  if (result.status !== 0) throw new Error(`${values.chromium} ended with ${result.status ?? result.signal}: ${result.stderr}`);
  return result.stdout;
}

function pageOf(markdown: string): string {
  const html = micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const shown = values.open ? html.replaceAll("<details>", "<details open>") : html;
  const style = values.style === undefined ? "" : `<link rel="stylesheet" href="file://${resolve(values.style)}">`;
  const measure = "document.title = `${document.documentElement.scrollHeight} ${document.querySelector('article').scrollWidth}`";
  return `<!doctype html><html><head><meta charset="utf-8"><title></title>${style}<style>${githubStyle}body{width:${width}px}</style></head>
<body><article>${shown}</article><script>document.fonts.ready.then(() => { ${measure} })</script></body></html>`;
}
