import { html } from "./html.ts";

/** The look of `run.html`: one column, dark and light by the reader's setting, readable from 360 px on. */
export const styles = html`
:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--text:#1d1f23;--soft:#646a73;--line:#e3e4e6;--ok:#1a7f4b;--bad:#c4342b;--err:#9a5b00;--open:#5a6472;--pre:#f3f3f1}
@media (prefers-color-scheme:dark){:root{--bg:#16181b;--card:#1e2125;--text:#e7e8ea;--soft:#9aa1ab;--line:#33373d;--ok:#4cc38a;--bad:#ff7b72;--err:#e3b341;--open:#a3adba;--pre:#15171a}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:70rem;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{margin:0;font-size:1.7rem;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:2rem 0 .6rem}
h2 small,.meta,.kicker,footer{color:var(--soft)}
h2 small{font-weight:400;margin-left:.3em}
.kicker{margin:0;font-size:.8rem}
.meta{margin:.2rem 0 1.4rem}
code,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.verdict{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;align-items:baseline;padding:.9rem 1.1rem;border-left:5px solid var(--open);background:var(--card);border-radius:6px}
.verdict strong{font-size:1.3rem;text-transform:capitalize}
.verdict ul,.verdict li{min-width:0;overflow-wrap:anywhere}.verdict ul{display:flex;flex-wrap:wrap;gap:0 1.4rem;margin:0;padding:0 0 0 1.1rem}
.verdict.passed{border-color:var(--ok)}.verdict.passed strong{color:var(--ok)}
.verdict.failed{border-color:var(--bad)}.verdict.failed strong{color:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.6rem;margin:1rem 0 .6rem}
.tile{margin:0;padding:.7rem .9rem;background:var(--card);border:1px solid var(--line);border-radius:6px}
.tile b{display:block;font-size:1.4rem;line-height:1.25;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:.85rem}
.tile.ok b{color:var(--ok)}.tile.bad b{color:var(--bad)}.tile.err b{color:var(--err)}
.bar{display:flex;height:8px;gap:2px;border-radius:4px;overflow:hidden}
.bar i.ok{background:var(--ok)}.bar i.bad{background:var(--bad)}.bar i.err{background:var(--err)}.bar i.open{background:var(--open)}
.rows>input{position:absolute;opacity:0}
.rows>label{display:inline-block;margin:0 .3rem .6rem 0;padding:.15rem .7rem;border:1px solid var(--line);border-radius:99px;font-size:.85rem;cursor:pointer}
.rows>input:checked+label{background:var(--text);color:var(--bg);border-color:var(--text)}
.rows>input:focus-visible+label{outline:2px solid var(--open);outline-offset:2px}
#show-missed:checked~.table .row.ok,#show-ok:checked~.table .row:not(.ok){display:none}
.table{border:1px solid var(--line);border-radius:6px;background:var(--card);overflow:hidden}
.row+.row{border-top:1px solid var(--line)}
.row summary{display:grid;grid-template-columns:9.5rem minmax(9rem,1fr) minmax(0,2fr) 3.6rem 4.2rem;gap:0 1rem;padding:.5rem .9rem;cursor:pointer;list-style:none;align-items:baseline}
.row summary::-webkit-details-marker{display:none}
.row summary:hover{background:var(--pre)}
.status{font-size:.76rem;font-weight:600}
.row.ok .status{color:var(--ok)}.row.bad .status{color:var(--bad)}.row.err .status{color:var(--err)}.row.open .status{color:var(--open)}
.name{font-weight:600;overflow-wrap:anywhere}
.why{color:var(--soft);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.score,.time{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.time{color:var(--soft)}
.body{padding:.3rem .9rem 1rem;border-top:1px dashed var(--line)}
.body p{margin:.6rem 0}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem 1rem;margin:.6rem 0;font-size:.88rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
pre{margin:.4rem 0;padding:.6rem .8rem;background:var(--pre);border:1px solid var(--line);border-radius:5px;white-space:pre-wrap;overflow-wrap:anywhere;max-height:22rem;overflow:auto}
pre.error{border-left:3px solid var(--err)}
.label{color:var(--soft);font-size:.85rem;margin-bottom:0}
.criteria{list-style:none;margin:.6rem 0;padding:0}
.criteria li{padding:.25rem 0 .25rem 1.4rem;position:relative;overflow-wrap:anywhere}
.criteria li::before{position:absolute;left:0;font-weight:700}
.criteria .met::before{content:"✓";color:var(--ok)}.criteria .missed::before{content:"✗";color:var(--bad)}.criteria .informs::before{content:"·";color:var(--soft)}
.criteria small{color:var(--soft)}
.list ul{margin:0;padding-left:1.2rem}.list li{margin:.3rem 0;overflow-wrap:anywhere;white-space:pre-line}.list span{color:var(--soft)}
.variants .wide{overflow-x:auto;margin:.6rem 0;border:1px solid var(--line);border-radius:6px;background:var(--card)}
.variants table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
.variants th,.variants td{padding:.35rem .8rem;text-align:right;white-space:nowrap}
.variants th:first-child{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:8rem;max-width:24rem}
.variants thead th{color:var(--soft);font-weight:400;max-width:14rem;overflow:hidden;text-overflow:ellipsis}
.variants tbody tr{border-top:1px solid var(--line)}
.variants th small{display:block;color:var(--soft);font-weight:400}
.variants td.ok b{color:var(--ok)}.variants td.bad b{color:var(--bad)}.variants td.err b{color:var(--err)}.variants td.open{color:var(--soft)}
.variants p{margin:.5rem 0;overflow-wrap:anywhere}.variants details summary{cursor:pointer;margin-top:.8rem}.variants summary small{color:var(--soft)}
.suites .wide{overflow-x:auto;border:1px solid var(--line);border-radius:6px;background:var(--card)}
.suites table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
.suites th,.suites td{padding:.45rem .9rem;text-align:left;vertical-align:baseline}.suites tr+tr>*,.suites tbody>:first-child>*{border-top:1px solid var(--line)}
.suites thead th{color:var(--soft);font-size:.82rem;font-weight:400}.suites tbody th{overflow-wrap:anywhere;min-width:6rem}.suites .gate{overflow-wrap:anywhere;min-width:8rem}
.suites .ok .gate{color:var(--ok)}.suites .bad .gate{color:var(--bad)}
.mark{font-weight:400;font-size:.76rem;color:var(--soft);border:1px solid var(--line);border-radius:99px;padding:0 .5em;white-space:nowrap}
.resume{color:var(--soft);margin-top:.8rem}.resume p{margin:.4rem 0;overflow-wrap:anywhere}
.drift .wide{overflow-x:auto;margin:.6rem 0;border:1px solid var(--line);border-radius:6px;background:var(--card)}
.drift table{border-collapse:collapse;width:100%;font-size:.9rem}
.drift th,.drift td{padding:.35rem .8rem;text-align:left;vertical-align:baseline;overflow-wrap:anywhere;min-width:5rem}
.drift thead th{color:var(--soft);font-weight:400}.drift tbody tr{border-top:1px solid var(--line)}.drift tbody th{font-weight:400}.drift th:first-child{min-width:8rem}.drift th small{display:block;color:var(--soft)}
.drift p{margin:.5rem 0;overflow-wrap:anywhere}
.environment{margin-top:2rem}.environment summary{cursor:pointer}
.more,footer{font-size:.88rem}footer{margin-top:3rem}
@media (max-width:44rem){body{padding:1.2rem .8rem 3rem}.row summary{grid-template-columns:minmax(0,1fr) auto auto;gap:.1rem .8rem}.status{grid-column:1;grid-row:2}.name{grid-column:1/-1;grid-row:1}.score{grid-column:2;grid-row:2}.time{grid-column:3;grid-row:2}.why{grid-column:1/-1;grid-row:3;white-space:normal;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical}.suites .points{display:none}.drift th,.drift td{padding:.35rem .5rem;min-width:4.5rem}.suites th,.suites td{padding:.4rem .6rem}}
`;
