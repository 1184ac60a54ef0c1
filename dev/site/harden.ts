import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Moves inline scripts and style attributes of the built pages into files, so that the pages work under a
 * Content-Security-Policy without inline code. Equal code shares one file or class.
 */
export function hardenPages(folder: string, base: string): void {
  const styles = new Map<string, string>()
  const scripts = new Map<string, string>()
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  for (const name of pages) {
    const file = join(folder, name)
    writeFileSync(file, hardenPage(readFileSync(file, 'utf8'), base, { styles, scripts }))
  }
  const target = join(folder, 'inline')
  mkdirSync(target, { recursive: true })
  for (const [hash, code] of scripts) writeFileSync(join(target, `${hash}.js`), code)
  const rules = [...styles].map(([hash, style]) => `.i-${hash}{${style}}`)
  writeFileSync(join(target, 'styles.css'), rules.join('\n'))
}

/** An opening tag. Its quoted attributes may contain angle brackets. */
const OPENING_TAG = /<[a-z][\w-]*(?:\s+[^\s"'<>/=]+(?:="[^"]*"|='[^']*'|=[^\s"'<>]+)?)*\s*\/?>/g

interface Extracted {
  styles: Map<string, string>
  scripts: Map<string, string>
}

/** Returns a page without inline code, and adds what it contained to `extracted`, keyed by hash. */
export function hardenPage(html: string, base: string, { styles, scripts }: Extracted): string {
  const withScripts = html.replace(
    /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g,
    (_, attributes, code) => {
      const hash = hashOf(code)
      scripts.set(hash, code)
      return `<script${attributes} src="${base}/inline/${hash}.js"></script>`
    },
  )
  const withStyles = withScripts.replace(OPENING_TAG, (tag) => {
    const style = / style="([^"]*)"/.exec(tag)?.[1]
    if (style === undefined) return tag
    const hash = hashOf(style)
    styles.set(hash, style.replaceAll('&quot;', '"'))
    return addClass(tag.replace(/ style="[^"]*"/, ''), `i-${hash}`)
  })
  return withStyles.replace('</head>', `<link rel="stylesheet" href="${base}/inline/styles.css"></head>`)
}

function addClass(tag: string, name: string): string {
  if (/\sclass="/.test(tag)) return tag.replace(/\sclass="/, ` class="${name} `)
  return tag.replace(/^<([\w-]+)/, `<$1 class="${name}"`)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}
