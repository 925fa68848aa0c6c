/** How GitHub shows Markdown in a comment or a job summary: sizes, colours and what breaks where. */
export const githubStyle = `
*{box-sizing:border-box}
html,body{margin:0;background:#fff}
article{padding:16px;color:#1f2328;font:14px/1.5 -apple-system,"Segoe UI","Noto Sans",Helvetica,Arial,"Noto Color Emoji",sans-serif;overflow-wrap:break-word}
article>*:first-child{margin-top:0}
h1,h2,h3,h4,h5,h6{margin:24px 0 16px;font-weight:600;line-height:1.25}
h1{font-size:2em;padding-bottom:.3em;border-bottom:1px solid #d1d9e0b3}
h2{font-size:1.5em;padding-bottom:.3em;border-bottom:1px solid #d1d9e0b3}
h3{font-size:1.25em}
h4{font-size:1em}
p,ul,ol,table,pre,details,blockquote{margin:0 0 16px}
ul,ol{padding-left:2em}
li+li{margin-top:.25em}
a{color:#0969da;text-decoration:underline}
code{padding:.2em .4em;font:85% ui-monospace,SFMono-Regular,"Liberation Mono",monospace;background:#818b981f;border-radius:6px;white-space:break-spaces}
pre{padding:16px;overflow:auto;font-size:85%;line-height:1.45;background:#f6f8fa;border-radius:6px}
pre code{padding:0;background:none;white-space:pre;font-size:100%}
h1 code,h2 code,h3 code,h4 code{font-size:inherit;padding:0 .2em}
table{display:block;width:max-content;max-width:100%;overflow:auto;border-collapse:collapse}
th,td{padding:6px 13px;border:1px solid #d1d9e0}
summary{cursor:pointer}
sub{font-size:75%;line-height:0;position:relative;vertical-align:baseline;bottom:-.25em}
blockquote{padding:0 1em;color:#59636e;border-left:.25em solid #d1d9e0}
`;
