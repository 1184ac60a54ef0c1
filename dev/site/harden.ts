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
  const edit = (ending: string, change: (text: string) => string) => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    for (const name of names.filter((each) => each.endsWith(ending))) {
      const file = join(folder, name)
      writeFileSync(file, change(readFileSync(file, 'utf8')))
    }
  }
  edit('.html', (html) => hardenPage(html, base, { styles, scripts }))
  edit('.css', selectClasses)
  const target = join(folder, 'inline')
  mkdirSync(target, { recursive: true })
  for (const [hash, code] of scripts) writeFileSync(join(target, `${hash}.js`), code)
  const rules = [...styles].map(([hash, style]) => `.i-${hash}{${style}}`)
  writeFileSync(join(target, 'styles.css'), rules.join('\n'))
}

interface Extracted {
  styles: Map<string, string>
  scripts: Map<string, string>
}

const ATTRIBUTES = String.raw`(?:\s+[^\s"'<>/=]+(?:="[^"]*"|='[^']*'|=[^\s"'<>]+)?)*`

/**
 * A script with its code, or any other opening tag. Tags are matched from left to right with their attributes, because
 * the quoted code of a copy button may contain tags of its own.
 */
const TAG = new RegExp(
  String.raw`<script(?<attributes>${ATTRIBUTES})\s*>(?<code>[\s\S]*?)</script>|<[a-z][\w-]*${ATTRIBUTES}\s*/?>`,
  'g',
)

/** Makes the rules for highlighted code select the classes that replace its style attributes. */
export function selectClasses(css: string): string {
  return css.replaceAll("span[style^='--']:not([class])", "span[class^='i-']")
}

/** Returns a page without inline code, and adds what it contained to `extracted`, keyed by hash. */
export function hardenPage(html: string, base: string, { styles, scripts }: Extracted): string {
  const hardened = html.replace(
    TAG,
    (tag: string, attributes: string | undefined, code: string | undefined) => {
      if (attributes !== undefined && code !== undefined) {
        if (/\ssrc=/.test(attributes)) return tag
        scripts.set(hashOf(code), code)
        return `<script${attributes} src="${base}/inline/${hashOf(code)}.js"></script>`
      }
      const style = /\sstyle="([^"]*)"/.exec(tag)?.[1]
      if (style === undefined) return tag
      styles.set(hashOf(style), style.replaceAll('&quot;', '"'))
      return addClass(tag.replace(/\sstyle="[^"]*"/, ''), `i-${hashOf(style)}`)
    },
  )
  return hardened.replace('</head>', `<link rel="stylesheet" href="${base}/inline/styles.css"></head>`)
}

function addClass(tag: string, name: string): string {
  if (/\sclass="/.test(tag)) return tag.replace(/\sclass="/, ` class="${name} `)
  return tag.replace(/^<([\w-]+)/, `<$1 class="${name}"`)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}
