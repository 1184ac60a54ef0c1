import { html, raw } from 'hono/html'

export type Markup = ReturnType<typeof html>

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5a6576; --page: #f4f5f8; --card: #fff;
  --line: #d6dbe3; --accent: #1f5fd0; --on-accent: #fff; --warn: #fff2c9; --warn-ink: #5c4300; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f6; --soft: #aab4c3; --page: #12161d; --card: #1b212b;
  --line: #374152; --accent: #8ab4ff; --on-accent: #0b1a33; --warn: #4a3a08; --warn-ink: #ffe9a6; --bad: #ff9d95 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
.sandbox { margin: 0; padding: .6rem 1rem; background: var(--warn); color: var(--warn-ink); text-align: center }
main { max-width: 34rem; margin: 1.5rem auto; padding: 0 1rem }
main.wide { max-width: 62rem }
section { margin-bottom: 1rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; overflow-x: auto }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.25; text-wrap: balance }
h2 { margin: 0 0 .5rem; font-size: 1.05rem }
p { margin: 0 0 .75rem }
.soft { color: var(--soft) }
.bad { color: var(--bad); font-weight: 600 }
dl { display: grid; grid-template-columns: auto auto; gap: .3rem 1rem; margin: 0 0 1rem }
dt { color: var(--soft) }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
.total { font-weight: 700; color: var(--ink) }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center }
form.tall { flex-direction: column; align-items: stretch }
button { padding: .65rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent;
  color: var(--ink); font: inherit; cursor: pointer }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600 }
button:hover { border-color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
a { color: var(--accent) }
details { border-top: 1px solid var(--line); padding-top: .75rem }
summary { cursor: pointer; color: var(--soft) }
label { display: block; margin: .6rem 0 .25rem }
select, input { width: 100%; padding: .5rem; border: 1px solid var(--line); border-radius: .5rem; font: inherit;
  background: var(--page); color: var(--ink) }
table { width: 100%; border-collapse: collapse; font-size: .92rem }
th, td { padding: .45rem .75rem .45rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top }
.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
nav a { margin-right: 1rem }
`

/** Renders a complete page. Every page begins with a notice that no money moves. */
export function layOut(title: string, body: Markup | Promise<Markup>, { isWide = false } = {}) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · payment sandbox</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<p class="sandbox" role="note"><strong>Sandbox.</strong> No money moves. You need no card and no coins.</p>
<main class="${isWide ? 'wide' : ''}">${body}</main>
</body>
</html>`
}

/** Formats 1990 and "EUR" as "€19.90". */
export function formatMoney(cents: number, currency: string): string {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100)
  } catch {
    return `${(cents / 100).toFixed(2)} ${currency}`
  }
}

export function formatTime(time: number | null): string {
  return time === null ? '–' : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
