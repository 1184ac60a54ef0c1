/** A page of the documentation site. */
export interface SitePage {
  /** Path below /docs without an extension, such as `guides/uploads`; `index` is the home page. */
  path: string
  title: string
  /** One sentence for search results and link previews. */
  description: string
  /** Markdown that follows the title. */
  body: string
  /** Name in the sidebar, if the title is too long for it. */
  label?: string
}

/** A group of the sidebar, which lists pages and further groups. */
export interface SiteGroup {
  label: string
  collapsed?: boolean
  items: readonly (SitePage | SiteGroup)[]
}

/** Lists the pages of all groups in the order of the sidebar. */
export function listPages(groups: readonly SiteGroup[]): SitePage[] {
  return groups.flatMap(({ items }) =>
    items.flatMap((item) => ('items' in item ? listPages([item]) : [item])),
  )
}

/** Returns the address of a page on the site. */
export function addressOfPage({ path }: Pick<SitePage, 'path'>): string {
  return path === 'index' ? '/docs' : `/docs/${path}`
}

/** Renders a page as Markdown with front matter, the form that the site generator reads. */
export function renderSource({ title, description, body }: SitePage): string {
  const lines = Object.entries({ title, description }).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`,
  )
  return `---\n${lines.join('\n')}\n---\n\n${body.trim()}\n`
}

/** Renders a page as plain Markdown, the form that programs and language models read. */
export function renderMarkdown({ title, description, body }: SitePage): string {
  return `# ${title}\n\n> ${description}\n\n${body.trim()}\n`
}
