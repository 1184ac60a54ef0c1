import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installedProgram, ROOT } from '../system/root.ts'
import { SITE_SOURCES } from './guides.ts'
import { hardenPages } from './harden.ts'
import { llmsText } from './llms.ts'
import { MEDIA } from './operation-examples.ts'
import { listPages, renderMarkdown, renderSource, type SiteGroup, type SitePage } from './page.ts'
import { buildSiteMap } from './site-map.ts'

const WORK = join(ROOT, 'dist/site')
const PAGES = join(WORK, 'pages')
const HTML = join(WORK, 'html')
const STAMP = join(WORK, 'built')

/** Builds the documentation site into dist/site/html, unless its pages and styles have not changed. */
export function buildSite(): void {
  const groups = buildSiteMap()
  const pages = listPages(groups)
  const hash = hashOf(pages)
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return
  console.log(`Building the documentation: ${pages.length} pages`)
  rmSync(STAMP, { force: true })
  rmSync(PAGES, { recursive: true, force: true })
  for (const page of pages) write(join(PAGES, `${page.path}.md`), renderSource(page))
  write(join(WORK, 'sidebar.json'), JSON.stringify(groups.map(sidebarOf)))
  runAstro()
  rmSync(join(HTML, '.prerender'), { recursive: true, force: true })
  hardenPages(HTML, '/docs')
  for (const page of pages) write(join(HTML, `${page.path}.md`), renderMarkdown(page))
  write(join(HTML, 'llms.txt'), llmsText(groups))
  if (existsSync(MEDIA)) cpSync(MEDIA, join(HTML, 'media'), { recursive: true })
  writeFileSync(STAMP, hash)
}

/** Hashes everything the site is built from: pages, sources, media, and the generator. */
function hashOf(pages: readonly SitePage[]): string {
  const hash = createHash('sha256').update(JSON.stringify(pages))
  for (const folder of [SITE_SOURCES, import.meta.dirname]) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
      if (isSource(name)) hash.update(name).update(readFileSync(join(folder, name)))
    }
  }
  return hash.update(readFileSync(join(ROOT, 'package-lock.json'))).digest('hex')
}

function isSource(name: string): boolean {
  return /\.\w+$/.test(name) && !/^(\.astro|node_modules)\b/.test(name)
}

interface SidebarItem {
  label: string
  slug?: string
  collapsed?: boolean
  items?: SidebarItem[]
}

function sidebarOf({ label, collapsed = false, items }: SiteGroup): SidebarItem {
  return {
    label,
    collapsed,
    items: items.map((item) =>
      'items' in item ? sidebarOf(item) : { label: item.label ?? item.title, slug: item.path },
    ),
  }
}

function runAstro(): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [installedProgram('astro'), 'build', '--root', SITE_SOURCES],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' } },
  )
  if (status !== 0) throw new Error(`The documentation could not be built.\n${stdout}\n${stderr}`)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
