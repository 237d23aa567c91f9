// The page's style sheet: light and dark by the reader's own setting, phone to wide screen, paper.
#include "analyzer/report/html_page.h"

namespace autotune {

const std::string_view kPageStyle = R"css(
:root{--bg:#f6f7f9;--card:#fff;--ink:#1b2330;--dim:#5b6675;--line:#dfe3ea;--bar:#3b6fd4;--rest:#9aa5b5;--track:#edf0f5;
--bad:#b3261e;--bad-bg:#fbe9e7;--good:#1b7045;--good-bg:#e4f4ea;--warn:#8a5a00;--warn-bg:#fdf1d8;--focus:#3b6fd4}
@media(prefers-color-scheme:dark){:root{--bg:#12161d;--card:#1a2029;--ink:#e4e9f1;--dim:#98a4b5;--line:#2c3542;
--bar:#6c9cf5;--rest:#64707f;--track:#252d39;--bad:#ff9a90;--bad-bg:#3d1f1e;--good:#7fd8a4;--good-bg:#17352a;
--warn:#f2c46d;--warn-bg:#3a2e15;--focus:#8db4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
-webkit-text-size-adjust:100%}
header,main,footer{max-width:1240px;margin:0 auto;padding:0 24px}
header{padding-top:32px}
footer{padding-top:16px;padding-bottom:32px;font-size:13px}
h1{font-size:28px;line-height:1.2;margin:0;letter-spacing:-.02em}
h2{font-size:18px;margin:0 0 12px}
header p{margin:6px 0 0;color:var(--dim)}
.dim{color:var(--dim)}.warn{color:var(--warn)}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.code,pre,.log{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px;margin:24px 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:14px 16px}
.tile dt{color:var(--dim);font-size:13px}
.tile dd{margin:2px 0 0;font-size:24px;font-weight:650;letter-spacing:-.01em;white-space:nowrap}
.tile.mismatch dd{color:var(--bad)}.tile.clean dd{color:var(--good)}.tile.unknown dd{color:var(--warn)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(420px,100%),1fr));gap:12px}
figure,section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin:0 0 12px}
.charts figure{margin:0}
.charts:not(:empty){margin-bottom:12px}
figcaption{font-weight:600;margin-bottom:10px}
svg{display:block;overflow:visible}
svg text{fill:var(--ink);font-size:13px}svg .value{fill:var(--dim)}
svg .track{fill:var(--track)}svg .bar{fill:var(--bar)}svg .rest{fill:var(--rest)}svg line{stroke:var(--line)}
.bars{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:minmax(0,1fr);gap:10px}
.bars span{min-width:0;overflow-wrap:anywhere}
.bars li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 12px;margin:0;font-size:13px}
.bars .value{color:var(--dim);font-variant-numeric:tabular-nums;margin-left:auto}
figure p{margin:6px 0 0;font-size:13px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px}
th{position:sticky;top:0;background:var(--card);text-align:left;font-size:13px;color:var(--dim);font-weight:600;
border-bottom:1px solid var(--line);padding:8px 10px;white-space:nowrap;z-index:1}
th.n{text-align:right}
th button{all:unset;cursor:pointer}
th button:focus-visible,td button:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
th[aria-sort=ascending] button::after{content:" \2191"}
th[aria-sort=descending] button::after{content:" \2193"}
td{padding:7px 10px;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:last-child td{border-bottom:0}
.runs tbody tr[data-state]:hover td{background:var(--track);cursor:pointer}
.runs .state{font-size:12px;font-weight:650;white-space:nowrap}
.state::before{content:"";display:inline-block;width:8px;height:8px;border-radius:50%;background:currentColor;
margin-right:7px}
.state.mismatch{color:var(--bad)}.state.clean{color:var(--good)}.state.unknown{color:var(--warn)}
.state.clean::before{border-radius:2px}.state.unknown::before{border-radius:0;transform:rotate(45deg)}
.day{white-space:nowrap}
.log,.code,.cause{overflow-wrap:anywhere}
.log button{all:unset;cursor:pointer;overflow-wrap:anywhere}
.log button::before{content:"\25B8";color:var(--dim);display:inline-block;width:1.1em}
.log button[aria-expanded=true]::before{content:"\25BE"}
.tools{display:flex;flex-wrap:wrap;gap:10px;align-items:center;margin-bottom:10px}
.tools[hidden]{display:none}
.tools input{flex:1 1 240px;min-width:0;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);
border-radius:8px;padding:7px 12px}
.tools input:focus-visible{outline:2px solid var(--focus);outline-offset:0}
.states{display:flex;border:1px solid var(--line);border-radius:8px;overflow:hidden}
.states button{all:unset;cursor:pointer;padding:6px 12px;font-size:14px;border-left:1px solid var(--line)}
.states button:first-child{border-left:0}
.states button[aria-pressed=true]{background:var(--bar);color:var(--card)}
.states button:focus-visible{outline:2px solid var(--focus);outline-offset:-3px}
output{color:var(--dim);font-size:13px}
.detail>td{background:var(--bg);padding:16px 20px;cursor:auto}
.detail p{margin:0 0 8px}
.detail .answer{font-size:16px;font-weight:600;overflow-wrap:anywhere}
.detail pre{background:var(--card)}
.detail ul{margin:8px 0 0;padding-left:18px}
.badge{margin:0 0 8px}.badge .state{display:inline-block;font-size:13px;font-weight:700;letter-spacing:.04em;
padding:4px 12px;border-radius:99px}
.badge .mismatch{background:var(--bad-bg)}.badge .clean{background:var(--good-bg)}.badge .unknown{background:var(--warn-bg)}
h1.answer{font-size:24px;line-height:1.3;max-width:42em;overflow-wrap:anywhere}
.suspect{border-left:3px solid var(--rest);padding:2px 0 2px 14px;margin:12px 0}
.suspect:first-of-type,h2+.suspect{border-color:var(--bar)}
.suspect h3{font-size:15px;margin:0 0 4px;overflow-wrap:anywhere}
.suspect h3 span{font-weight:400;color:var(--dim)}
.suspect p{margin:0 0 8px;max-width:70em}
.meter{height:6px;border-radius:3px;background:var(--track);max-width:240px;margin:6px 0 8px;overflow:hidden}
.meter span{display:block;height:100%;background:var(--bar)}
main dl:not(.tiles){display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 14px;margin:6px 0;
font-size:14px}
main dl:not(.tiles) dt{color:var(--dim)}main dl:not(.tiles) dd{margin:0;overflow-wrap:anywhere}
main pre{margin:8px 0;padding:10px 12px;background:var(--bg);border:1px solid var(--line);border-radius:8px;
white-space:pre-wrap;overflow-wrap:anywhere}
section ul,section ol{margin:0;padding-left:22px}section li{margin:3px 0;overflow-wrap:anywhere}
summary{cursor:pointer;overflow-wrap:anywhere}
summary:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
.block{border-top:1px solid var(--line);padding:10px 0}h2+.block{border-top:0;padding-top:0}
.block>:not(summary){margin-top:10px}
.rows td{padding:4px 10px}.rows td:first-child{white-space:nowrap}
.facts tr.differs td{background:var(--bad-bg)}
.fix::before{content:"fix";display:block;color:var(--dim);font-size:12px}.rows .speed{width:120px;vertical-align:middle}
.speed span{display:block;height:8px;border-radius:4px;background:var(--bar)}
.result{white-space:nowrap;font-weight:600}.result.differs{color:var(--bad)}.result.equal{color:var(--good)}
.result.harmless{color:var(--warn)}.result.absent,.result.none{color:var(--dim);font-weight:400}
@media(max-width:900px){.runs .more{display:none}.runs th:nth-child(n+5){display:none}.runs .day{display:none}}
@media(max-width:640px){
header,main,footer{padding-left:14px;padding-right:14px}header{padding-top:20px}
h1{font-size:23px}.tiles{grid-template-columns:repeat(2,1fr);gap:8px;margin:16px 0}.tile{padding:10px 12px}
.tile dd{font-size:20px}figure,section{padding:14px}
.runs thead{display:none}.runs,.runs tbody{display:block}
.runs tr[data-state]{display:grid;grid-template-columns:1fr auto;gap:2px 10px;padding:10px 0;
border-bottom:1px solid var(--line)}
.runs tr[data-state][hidden]{display:none}
.runs tr[data-state] td{border:0;padding:0}.runs .lost{grid-column:2;grid-row:1}.runs .state{grid-row:1}
.runs .log{grid-column:1/-1}.runs .cause{grid-column:1/-1;color:var(--dim);font-size:13px;padding-left:15px!important}
.runs .cause:empty{display:none}
.detail{display:block}.detail>td{display:block;padding:12px;border-radius:8px}
main dl:not(.tiles){grid-template-columns:1fr}main dl:not(.tiles) dd{margin-bottom:4px}
.wide table:not(.facts){min-width:520px}
.facts thead{display:none}.facts,.facts tbody{display:block}
.facts tr{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 10px;padding:8px 0;border-bottom:1px solid var(--line)}
.facts td{border:0;padding:0 4px;grid-column:1/-1}.facts td:first-child{grid-column:1}
.facts td:last-child{grid-column:2;grid-row:1;font-size:13px}.facts td:empty{display:none}
.facts td:nth-child(2)::before{content:"manifest ";color:var(--dim);font-size:13px}
.facts td:nth-child(3)::before{content:"this run ";color:var(--dim);font-size:13px}
h1.answer{font-size:19px}.rows .speed{width:60px}
.states{flex:1 1 100%}.states button{flex:1;text-align:center;padding:8px 2px}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--dim:#444;--line:#bbb;--bar:#444;--track:#eee;--bad:#900;
--good:#060;--warn:#630}
body{font-size:11px}.tools{display:none}figure,section,.tile{break-inside:avoid;border-color:#bbb}
section{break-inside:auto;border:0;padding:0}table{font-size:10px}th{position:static}tr{break-inside:avoid}
thead{display:table-header-group}details::details-content{content-visibility:visible;block-size:auto}
header,main,footer{max-width:none;padding:0}}
)css";

}  // namespace autotune
