import { escapeHtml } from '../../../shared/text/escape-html.ts'
import type { ReceiptText } from './describe-receipt.ts'

/** The only style of the page; the Content-Security-Policy allows it by its hash. */
export const STYLE = `
body { margin: 0; background: #f4f4f5; color: #18181b; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 2rem auto; padding: 2rem; background: #fff; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: 0 0 1.5rem; }
dt, small, th { color: #52525b; font-weight: normal; }
dd { margin: 0; }
.parties { display: flex; flex-wrap: wrap; gap: 1.5rem; margin-bottom: 1.5rem; }
.parties > div { flex: 1 1 12rem; white-space: pre-line; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .5rem 0; border-top: 1px solid #e4e4e7; }
th:last-child, td:last-child { text-align: right; white-space: nowrap; padding-left: 1rem; }
small { display: block; }
tfoot tr:last-child { font-weight: bold; }
@media print { body { background: #fff; } main { margin: 0; padding: 0; } nav { display: none; } }
`

/** Sets a receipt as a page without scripts. */
export function writeReceiptHtml(receipt: ReceiptText): string {
  const { locale, title, facts, parties, columns, rows, totals, notes, invoice, pdf } = receipt
  const [item, amount] = columns.map(escapeHtml)
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="icon" href="/icon.svg" type="image/svg+xml"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>
<h1>${escapeHtml(title)}</h1>
<dl>${facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>
<div class="parties">${parties.map(writeParty).join('')}</div>
<table><thead><tr><th>${item}</th><th>${amount}</th></tr></thead>
<tbody>${rows.map(writeRow).join('')}</tbody>
<tfoot>${totals.map(([label, sum]) => `<tr><td>${escapeHtml(label)}</td><td>${escapeHtml(sum)}</td></tr>`).join('')}</tfoot></table>
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('')}
<nav>${[pdf, ...(invoice === null ? [] : [invoice])].map(writeLink).join('')}</nav>
</main></body></html>
`
}

function writeParty({ label, name, lines }: ReceiptText['parties'][number]): string {
  return `<div><small>${escapeHtml(label)}</small><strong>${escapeHtml(name)}</strong>\n${escapeHtml(lines.join('\n'))}</div>`
}

function writeRow({ name, detail, amount }: ReceiptText['rows'][number]): string {
  const more = detail === null ? '' : `<small>${escapeHtml(detail)}</small>`
  return `<tr><td>${escapeHtml(name)}${more}</td><td>${escapeHtml(amount)}</td></tr>`
}

function writeLink({ label, url }: { label: string; url: string }): string {
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`
}
