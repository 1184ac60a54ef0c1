import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ROOT } from './system/root.ts'
import { filesOfModule, readManifest } from './web-manifest.ts'

/**
 * Writes the landing page in each language, for visitors and for signed-in users, to dist/web/prerendered, with its texts, so that browsers show it before
 * they have loaded the script. The Worker chooses the language (edge/web-app/answer-page.ts).
 */
const BUILD = join(ROOT, 'dist/web')
/** Shown in examples of code until the script replaces it by the address of the service. */
const ORIGIN = 'https://media.example.com'

const Pages = z.array(
  z.object({
    locale: z.string(),
    is_member: z.boolean(),
    title: z.string(),
    description: z.string(),
    html: z.string(),
  }),
)
const Bundle = z.object({
  prerenderLanding: z.custom<() => Promise<unknown>>((value) => typeof value === 'function'),
})

/** What modules of the pages read when they load. */
Object.assign(globalThis, {
  location: new URL(ORIGIN),
  addEventListener: () => undefined,
  document: { documentElement: { dataset: {} } },
})
Object.defineProperty(navigator, 'onLine', { value: true })

const { prerenderLanding } = Bundle.parse(await import(join(ROOT, 'dist/prerender/prerender.js')))
const pages = Pages.parse(await prerenderLanding())
const document = readFileSync(join(BUILD, 'index.html'), 'utf8')
const manifest = readManifest(BUILD)
const linked = filesOfModule(manifest, 'index.html')
const loaded = [...filesOfModule(manifest, 'landing/landing.tsx')].filter((file) => !linked.has(file))

mkdirSync(join(BUILD, 'prerendered'), { recursive: true })
for (const page of pages) {
  const name = page.is_member ? `${page.locale}-member` : page.locale
  writeFileSync(join(BUILD, 'prerendered', `${name}.html`), writePage(page))
}

function writePage({ locale, title, description, html }: z.infer<typeof Pages>[number]): string {
  const { content, style_file } = extractStyles(html)
  const links = [...loaded, style_file].map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`,
  )
  const replacements: [RegExp, string][] = [
    [/<html lang="en">/, `<html lang="${locale}">`],
    [/<title>[^<]*<\/title>/, `<title>${escapeText(title)} · Media Credits</title>`],
    [/(?<=name="description" content=")[^"]*/, escapeText(description)],
    [/(?=<\/head>)/, links.join('')],
    [/(?<=<div id="app">)(?=<\/div>)/, content],
  ]
  return replacements.reduce((text, [place, replacement]) => {
    if (!place.test(text)) throw new Error(`index.html has no ${place}.`)
    return text.replace(place, () => replacement)
  }, document)
}

/** Moves style attributes, which the Content-Security-Policy does not allow, to a style sheet. */
function extractStyles(html: string): { content: string; style_file: string } {
  const styles: string[] = []
  const content = html.replace(/ style="([^"]*)"/g, (_, style: string) => {
    if (!styles.includes(style)) styles.push(style)
    return ` data-style="${styles.indexOf(style)}"`
  })
  const sheet = styles.map((style, index) => `[data-style="${index}"]{${style}}`).join('')
  const style_file = `app/prerendered-${createHash('sha256').update(sheet).digest('hex').slice(0, 8)}.css`
  writeFileSync(join(BUILD, style_file), sheet)
  return { content, style_file }
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
