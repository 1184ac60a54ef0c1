import { escapeHtml } from '../../../shared/text/escape-html.ts'
import type { Locale } from '../../../shared/text/texts.ts'
import type { Block, EmailContent, Footer } from './content.ts'

/**
 * Mail clients without support for style sheets use the inline styles, which assume a light background. Other clients
 * also apply these rules, which need `!important` to override inline styles.
 */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #18181b !important; }
  .card { background: #27272a !important; border-color: #3f3f46 !important; }
  .ink { color: #f4f4f5 !important; }
  .quiet { color: #b4b4bd !important; }
  .line { border-color: #3f3f46 !important; }
  .box { background: #18181b !important; color: #f4f4f5 !important; }
  .link { color: #93c5fd !important; }
  .button { background: #93c5fd !important; color: #18181b !important; }
  .good { color: #6bd198 !important; }
  .bad { color: #ff9089 !important; }
}
@media (max-width: 480px) {
  .outer { padding: 12px !important; }
  .card { padding: 24px 20px !important; }
}`

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const INK = 'color:#18181b'
const QUIET = 'color:#52525b'
const LINE = 'border-top:1px solid #e4e4e7'

/** Renders the HTML part of an email: one column of at most 560 pixels, without images or scripts. */
export function renderHtml(content: EmailContent, footer: Footer, locale: Locale, site: string): string {
  const { subject, heading = subject, greeting, blocks } = content
  const [first] = blocks
  const preview = typeof first === 'string' ? first : heading
  return `${[
    `<!doctype html><html lang="${locale}" dir="ltr"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>`,
    '<body class="ground" style="margin:0;padding:0;background:#f4f4f5;-webkit-text-size-adjust:100%">',
    // Mail clients show the preview after the subject in the list of emails.
    `<div aria-hidden="true" style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`,
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" style="background:#f4f4f5"><tr>',
    '<td class="outer" align="center" style="padding:32px 16px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">',
    `<tr><td class="quiet" style="padding:0 4px 12px;${FONT};font-size:14px;font-weight:600;line-height:20px;${QUIET}">${escapeHtml(site)}</td></tr>`,
    `<tr><td class="card ink" style="padding:32px;background:#ffffff;border:1px solid #e4e4e7;border-radius:12px;${FONT};font-size:16px;line-height:24px;${INK};overflow-wrap:anywhere">`,
    `<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:700;${INK}">${escapeHtml(heading)}</h1>`,
    paragraph(greeting),
    ...blocks.map((block) => renderBlock(block, footer)),
    '</td></tr>',
    `<tr><td class="quiet" style="padding:16px 4px 0;${FONT};font-size:13px;line-height:20px;${QUIET}">${renderFooter(footer)}</td></tr>`,
    '</table></td></tr></table></body></html>',
  ].join('\n')}\n`
}

function renderFooter({ sender, support, unsubscribe }: Footer): string {
  return [
    escapeHtml(sender),
    ...(support === undefined ? [] : [`${escapeHtml(support.introduction)} ${anchor(support)}`]),
    ...(unsubscribe === undefined ? [] : [anchor(unsubscribe)]),
  ].join('<br>')
}

function renderBlock(block: Block, { button_url }: Footer): string {
  if (typeof block === 'string') return paragraph(block)
  if ('code' in block) {
    return `<p class="box" style="margin:24px 0;padding:16px;border-radius:8px;background:#f4f4f5;text-align:center;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px;${INK}">${escapeHtml(block.code)}</p>`
  }
  if ('figure' in block) {
    return `<p style="margin:16px 0 20px;font-size:26px;line-height:32px;font-weight:700">${escapeHtml(block.figure)}</p>`
  }
  if ('facts' in block) return table(block.facts.map(([label, value]) => factRow(label, value)))
  if ('list' in block) {
    return table(block.list.map(({ title, outcome, is_good }) => listRow(title, outcome, is_good)))
  }
  if ('quote' in block) {
    return `<blockquote class="line" style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #d4d4d8;white-space:pre-wrap">${escapeHtml(block.quote)}</blockquote>`
  }
  if ('link' in block) return `<p style="margin:0 0 16px">${anchor(block.link)}</p>`
  const { label, url } = block.button
  return [
    `<p style="margin:24px 0 16px"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`,
    `<p class="quiet" style="margin:0 0 20px;font-size:13px;line-height:20px;${QUIET}">${escapeHtml(button_url)}<br>${anchor({ label: url, url })}</p>`,
  ].join('\n')
}

function table(rows: string[]): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">${rows.join('\n')}</table>`
}

const CELL = `padding:10px 0;${LINE};${FONT};font-size:15px;line-height:22px;vertical-align:top`

function factRow(label: string, value: string): string {
  return (
    `<tr><td class="line quiet" width="38%" style="${CELL};padding-right:12px;${QUIET}">${escapeHtml(label)}</td>` +
    `<td class="line ink" style="${CELL};${INK};white-space:pre-wrap">${escapeHtml(value)}</td></tr>`
  )
}

function listRow(title: string, outcome: string, isGood: boolean): string {
  const [look, color] = isGood ? ['good', '#17703f'] : ['bad', '#a8231c']
  return `<tr><td class="line ink" style="${CELL};${INK}">${escapeHtml(title)}<br><span class="${look}" style="color:${color}">${escapeHtml(outcome)}</span></td></tr>`
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
}

function anchor({ label, url }: { label: string; url: string }): string {
  return `<a class="link" href="${escapeHtml(url)}" style="color:#1d4ed8">${escapeHtml(label)}</a>`
}
