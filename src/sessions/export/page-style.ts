/** How an exported page looks, on a light or dark screen and on paper. */
export const pageStyle = `:root{color-scheme:light dark;--line:#8886;--soft:#8881}
body{font:1rem/1.55 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{line-height:1.25}
h2{font-size:.9rem;margin:0 0 .5rem;opacity:.75}
section{margin:1.5rem 0;padding:.75rem 1rem;border-left:3px solid var(--line)}
.user{background:var(--soft)}
.plain{white-space:pre-wrap}
pre,code{font:.9em/1.45 ui-monospace,monospace}
pre{white-space:pre-wrap;padding:.75rem;background:var(--soft);border:1px solid var(--line)}
blockquote{margin-inline:0;padding-inline:1rem;border-inline-start:3px solid var(--line)}
table{border-collapse:collapse}
th,td{padding:.25rem .6rem;border:1px solid var(--line)}
img{max-width:100%;height:auto}
i{font-style:normal;outline:1px solid;font-size:.8em}
small{font-weight:normal}
@media print{body{max-width:none}section{break-inside:auto}pre,img,table{break-inside:avoid}details::details-content{content-visibility:visible;block-size:auto}}`;
