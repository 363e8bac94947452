/** Style of the HTML report: light and dark, narrow screens, paper. Colours never carry meaning without a mark or a word. */
export const style = `
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--accent:#0550ae;
--critical:#a40e26;--high:#953800;--medium:#7a4b00;--low:#0550ae;--red:#a40e26;--green:#116329;--orange:#953800;
--blue:#0550ae;--red-back:#ffebe9;--green-back:#dafbe1;--red-mark:#ffc1bc;--green-mark:#aceebb}
@media (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--soft:#9ea7b3;--line:#30363d;--panel:#161b22;
--accent:#79c0ff;--critical:#ff9492;--high:#ffb77c;--medium:#f0b72f;--low:#79c0ff;--red:#ff9492;--green:#7ee787;
--orange:#ffb77c;--blue:#79c0ff;--red-back:#2b1719;--green-back:#12261e;--red-mark:#6e2a2e;--green-mark:#1f5130}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
header,main{max-width:72rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.75rem}main{padding-bottom:4rem}
h1{font-size:1rem;font-weight:600;color:var(--soft);margin:0 0 .5rem}
h2,h3{margin:0;line-height:1.3}h2{font-size:1.2rem}h3{font-size:1rem}
p,ul,dl,dd{margin:0}ul{padding-left:1.2rem}
code,.code{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}a.code{text-underline-offset:.3em}
.soft{color:var(--soft)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.2rem}

.verdict{border-left:.4rem solid var(--medium);background:var(--panel);border-radius:.2rem .4rem .4rem .2rem;padding:.75rem 1.1rem}
.verdict strong{display:block;font-size:1.6rem;line-height:1.25}
.passed{border-color:var(--green)}.passed strong{color:var(--green)}
.blocked{border-color:var(--red)}.blocked strong{color:var(--red)}
.unreviewable strong{color:var(--medium)}
.facts{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin:1rem 0}
dt{font-size:.8rem;color:var(--soft)}
.facts dd{display:flex;flex-wrap:wrap;gap:.35rem;overflow-wrap:anywhere}
.chip{display:inline-flex;gap:.35rem;border:1px solid var(--line);border-radius:1rem;padding:.05rem .65rem;color:inherit;text-decoration:none;background:var(--panel)}
a.chip:hover{border-color:currentColor}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;border-top:1px solid var(--line);padding:.6rem 0}

.section{border-top:1px solid var(--line);padding:1rem 0}
.section>summary{display:flex;align-items:baseline;gap:.6rem;cursor:pointer;list-style:none}
.section>summary::-webkit-details-marker{display:none}
.section>summary::before{content:"";flex:none;width:.45rem;height:.45rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:translateY(-.15rem) rotate(-45deg)}
.section[open]>summary::before{transform:translateY(-.25rem) rotate(45deg)}
.section[open]>summary{margin-bottom:.75rem}
.count{color:var(--soft);font-weight:400}
.list li{margin:.2rem 0;overflow-wrap:anywhere}

.badge{display:inline-block;border:1px solid currentColor;border-radius:1rem;padding:0 .55rem;font-size:.78rem;font-weight:600;line-height:1.4rem;white-space:nowrap}
.critical{color:var(--critical)}.high{color:var(--high)}.medium{color:var(--medium)}.low{color:var(--low)}
.create{color:var(--green)}.update{color:var(--blue)}.replace{color:var(--orange)}.delete{color:var(--red)}.forget,.none{color:var(--soft)}
.group{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.35rem 1rem;border:1px solid var(--line);border-radius:.4rem;padding:.65rem .9rem;margin:.5rem 0}
.group>h3,.group>ul,.group>.fold[open]{grid-column:1/-1}
.group>h3{display:flex;flex-wrap:wrap;align-items:baseline;gap:.15rem .55rem;overflow-wrap:anywhere}
.group>ul{list-style:none;padding:0}
.group>ul>li{display:grid;grid-template-columns:minmax(0,17rem) minmax(0,1fr);gap:0 1rem;padding:.1rem 0;overflow-wrap:anywhere}
.group>ul>li>:only-child{grid-column:1/-1}
.remedy{grid-column:1;color:var(--soft);overflow-wrap:anywhere}
.fold{grid-column:2}.fold>summary{cursor:pointer;color:var(--soft);width:fit-content}
.command{display:flex;align-items:flex-start;gap:.5rem;background:var(--panel);border:1px solid var(--line);border-radius:.3rem;padding:.3rem .3rem .3rem .6rem;margin:.35rem 0}
.command code{flex:1;align-self:center}

form{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end;padding:.7rem;background:var(--panel);border:1px solid var(--line);border-radius:.4rem}
label{display:flex;flex-direction:column;gap:.25rem;font-size:.8rem;color:var(--soft);max-width:100%}
label:first-child{flex:1 1 14rem}
input,select,button{font:inherit;font-size:.9rem;color:var(--text);background:var(--back);border:1px solid var(--line);border-radius:.3rem;padding:.3rem .55rem;max-width:100%}
select{max-width:14rem}
button{cursor:pointer;white-space:nowrap}button:hover{border-color:var(--soft)}
.bar{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.5rem;margin:.6rem 0}
.change{border:1px solid var(--line);border-bottom-width:0}
.change:first-child{border-radius:.4rem .4rem 0 0}.change:last-child{border-bottom-width:1px;border-radius:0 0 .4rem .4rem}
.change>summary{display:grid;grid-template-columns:7rem minmax(0,1fr) auto;gap:0 .75rem;align-items:baseline;padding:.4rem .8rem;cursor:pointer;list-style:none}
.change>summary::-webkit-details-marker{display:none}
.change>summary:hover,.change[open]>summary{background:var(--panel)}
.action{font-weight:600;white-space:nowrap}.mark{display:inline-block;width:1.1rem;font-family:ui-monospace,monospace}
.what{overflow-wrap:anywhere}.what .soft{margin-left:.6rem;font-size:.85rem}
.body{padding:.25rem .8rem 1rem;border-top:1px solid var(--line)}
.body>*{margin-top:.75rem}
.properties{display:grid;grid-template-columns:minmax(6rem,max-content) minmax(0,1fr);gap:.15rem 1rem;align-items:baseline}
.properties dd{overflow-wrap:anywhere}.properties dd>*{display:inline-block;margin-right:.6rem}
.warning{list-style:none;padding:.5rem .8rem;border-left:.2rem solid var(--orange);background:var(--panel)}

table{border-collapse:collapse;width:100%;table-layout:fixed}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
th{font-size:.8rem;font-weight:400;color:var(--soft);border-top:0}
.destroyed th:first-child{width:6.5rem}.destroyed th:nth-child(2){width:32%}
.differences th:first-child{width:26%}
.plans th:nth-child(3){width:5.5rem}.plans th:last-child{width:38%}
.differences tbody .before{background:var(--red-back)}.differences tbody .after{background:var(--green-back)}
.before mark{background:var(--red-mark);color:inherit}.after mark{background:var(--green-mark);color:inherit}
.differences code{white-space:pre-wrap}
.absent{font-style:italic;color:var(--soft)}
.forces{display:block;font-size:.8rem;color:var(--orange)}

.rules+.rules{margin-top:1.25rem}.rules h3{margin-bottom:.35rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}.wide table{min-width:38rem}
.wide th:nth-child(-n+4){width:5.5rem}.wide th:first-child{width:7.5rem}
.removed td{background:var(--red-back)}.added td{background:var(--green-back)}
.removed td:first-child{color:var(--red);font-weight:600}.added td:first-child{color:var(--green);font-weight:600}

.picture{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem;background:var(--panel)}
svg{display:block}
svg .edge{fill:none;stroke:var(--soft);stroke-width:1.25}
svg rect{fill:var(--back);stroke:currentColor;stroke-width:1.25}
svg .none rect{stroke-dasharray:4 3}
svg .own rect{stroke-width:3}
svg text{fill:var(--text);font:13px system-ui,sans-serif}
svg text.mark{fill:currentColor;font-weight:700}
svg text.kind{fill:var(--soft);font-size:12px}
svg a{text-decoration:none}svg a:hover rect{fill:var(--panel)}
.said{position:fixed;bottom:1rem;left:50%;transform:translateX(-50%);background:var(--text);color:var(--back);padding:.3rem .9rem;border-radius:.4rem}
.said:empty{display:none}
[hidden]{display:none!important}

@media (max-width:44rem){
.group,.group>ul>li{display:block}.group>ul>li{padding:.3rem 0}.group>*+*{margin-top:.35rem}
header,main{padding-left:.9rem;padding-right:.9rem}
label{flex:1 1 8rem}label:first-child{flex-basis:100%}select{max-width:100%}
.change>summary{grid-template-columns:minmax(0,1fr) auto;padding:.5rem .7rem}
.what{grid-column:1/-1;grid-row:2}.what .soft{display:block;margin:0}
.properties{grid-template-columns:minmax(0,1fr)}.properties dd{margin-bottom:.35rem}
.differences thead,.destroyed thead{display:none}
.differences tr,.destroyed tr{display:block;border-top:1px solid var(--line);padding:.35rem 0}
.differences td,.destroyed td{display:block;border:0;padding:.2rem .4rem}
.differences .before::before{content:"before "}.differences .after::before{content:"after "}
.differences td::before{font-size:.8rem;color:var(--soft)}
.command{flex-wrap:wrap}.command code{flex-basis:100%}
}
@media print{
form,button,nav,.fold,.said{display:none}
.change,.group,tr{break-inside:avoid}
body{font-size:11px}
}
`;
