import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderQueued } from '../edge/emails/render-queued.ts'
import { ALL_EMAIL_SAMPLES } from '../edge/emails/testing/samples.ts'
import { LOCALES } from '../shared/text/texts.ts'
import { ROOT } from './system/root.ts'

/** Writes every kind of email in every language to a folder, as HTML and as text, with a page that lists them. */
const folder = join(ROOT, '.data/emails')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const rows: string[] = []
for (const [name, content] of ALL_EMAIL_SAMPLES) {
  const links: string[] = []
  for (const locale of LOCALES) {
    const { subject, text, html } = renderQueued(content, locale, {
      url: 'https://media.example.com',
      support: 'support@media.example.com',
    })
    const file = `${name}.${locale}`
    await writeFile(join(folder, `${file}.html`), html)
    await writeFile(join(folder, `${file}.txt`), `Subject: ${subject}\n\n${text}`)
    links.push(`<a href="${file}.html">${locale}</a> (<a href="${file}.txt">text</a>)`)
  }
  rows.push(`<li>${name}: ${links.join(', ')}</li>`)
}
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Emails</title><ul>${rows.join('\n')}</ul></html>\n`
await writeFile(join(folder, 'index.html'), page)
process.stdout.write(`Wrote ${ALL_EMAIL_SAMPLES.length * LOCALES.length} emails to ${folder}\n`)
