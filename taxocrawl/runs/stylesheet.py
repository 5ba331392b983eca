"""The style of report.html: system fonts, light and dark, from phones to print."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --ink: #1c2321; --paper: #fcfcfa; --soft: #5b6663;
  --rule: #d5dad8; --link: #0b5c8f; --a: #2f6f8f; --b: #3f8a4d; --c: #b0672c;
  --d: #7a4fa3; --e: #a8324a; --f: #6b6b2a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9e7; --paper: #161a19; --soft: #a3adaa;
  --rule: #39423f; --link: #82c0ea; --a: #6fb1d6; --b: #79c486; --c: #e0a06a;
  --d: #b79bdc; --e: #ee8c9e; --f: #c2c26f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 64rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
a { color: var(--link); }
.soft, caption, figcaption, summary { color: var(--soft); }
.wide { overflow-x: auto; margin: 1rem 0; }
.wide:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; padding-bottom: .3rem; white-space: nowrap; }
th, td { border-bottom: 1px solid var(--rule); padding: .3rem .8rem .3rem 0; text-align: right;
  vertical-align: top; }
th:first-child, .words th, .words td { text-align: left; }
.reading td { width: 48%; }
th[scope=row] { font-weight: normal; }
thead th { font-weight: 600; vertical-align: bottom; }
figure { margin: 1rem 0; overflow-x: auto; }
svg { width: 100%; min-width: 30rem; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.grid { stroke: var(--rule); }
.series-0 { fill: var(--a); stroke: var(--a); } .series-1 { fill: var(--b); stroke: var(--b); }
.series-2 { fill: var(--c); stroke: var(--c); } .series-3 { fill: var(--d); stroke: var(--d); }
.series-4 { fill: var(--e); stroke: var(--e); } .series-5 { fill: var(--f); stroke: var(--f); }
.line { fill: none; stroke-width: 2.5; }
.documents { padding-left: 1.5rem; } .documents li { margin-bottom: 1.2rem; }
.documents p { margin: .1rem 0; }
blockquote { margin: .3rem 0; padding-left: .8rem; border-left: 3px solid var(--rule); }
@media print { .wide { overflow: visible; } }
"""
