import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../edge/platform/errors/rules/table.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { readApiDocument } from './api-document.ts'
import { llmsText } from './llms.ts'
import { addressOfPage, listPages, renderMarkdown, renderSource } from './page.ts'
import { buildSiteMap } from './site-map.ts'

const groups = buildSiteMap()
const pages = listPages(groups)
const byPath = new Map(pages.map((page) => [page.path, page]))
const anchors = new Map(pages.map((page) => [addressOfPage(page), anchorsOf(page.body)]))

/** Addresses that the edge serves besides the pages. */
const OTHERS = new Set(['/openapi.json', '/llms.txt'])

test('pages have different paths, a title and a description of one line', () => {
  expect(byPath.size).toBe(pages.length)
  expect(
    pages.filter(({ title, description }) => !/^[^\n]+$/.test(title) || !/^[^\n]+$/.test(description)),
  ).toEqual([])
})

test.each(pages.map((page) => [page.path, page] as const))(
  'the links of %s lead to a page and a heading',
  (_, page) => {
    const links = [...page.body.matchAll(/\]\((\/?[^)\s]*)\)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false
      const [path = '', anchor] = link.split('#')
      const address = path === '' ? addressOfPage(page) : path
      if (OTHERS.has(address)) return false
      const known = anchors.get(address)
      return known === undefined || (anchor !== undefined && !known.has(anchor))
    })
    expect(broken).toEqual([])
  },
)

test.each(OPERATIONS.map((operation) => [`${operation.service}/${operation.key}`, operation] as const))(
  '%s has a page with its parameters, presets, price and a call',
  (address, { parameters, presets, description }) => {
    const body = byPath.get(`operations/${address}`)?.body ?? ''
    expect(body).toContain(description)
    for (const key of Object.keys(parameters.shape)) expect(body).toContain(`| \`${key}\` |`)
    for (const { label } of presets) expect(body).toContain(label)
    expect(body).toContain('2 credits for up to a minute')
    for (const title of ['curl', 'TypeScript', 'Command line']) expect(body).toContain(`title="${title}"`)
  },
)

test('every endpoint of the OpenAPI document is on a page of its topic and in the list of all', () => {
  const { paths } = readApiDocument()
  const names = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\``),
  )
  const topics = pages.filter(({ path }) => path.startsWith('endpoints/')).map(({ body }) => body)
  expect(names.filter((name) => !byPath.get('endpoints')?.body.includes(name))).toEqual([])
  expect(names.filter((name) => topics.filter((body) => body.includes(`\n${name}\n`)).length !== 1)).toEqual(
    [],
  )
})

test('administrators have a section of their own', () => {
  const reference = groups.find(({ label }) => label === 'API reference')
  const section = reference?.items.find((item) => item.label === 'For administrators')
  const titles =
    section !== undefined && 'items' in section ? listPages([section]).map(({ title }) => title) : []
  expect(titles).toEqual(['Administration', 'Billing administration'])
})

test('every error code is an anchor of the page that doc_url points to', () => {
  const known = anchors.get('/docs/errors')
  expect(ERROR_CODES.filter((code) => !known?.has(code))).toEqual([])
})

describe('a page', () => {
  const page = { path: 'guides/a', title: 'A "guide"', description: 'It says: a.', body: 'Text\n' }

  test('becomes Markdown with front matter for the generator', () => {
    expect(renderSource(page)).toBe('---\ntitle: "A \\"guide\\""\ndescription: "It says: a."\n---\n\nText\n')
  })

  test('becomes plain Markdown for programs, which llms.txt lists', () => {
    expect(renderMarkdown(page)).toBe('# A "guide"\n\n> It says: a.\n\nText\n')
    expect(llmsText([{ label: 'Guides', items: [page] }])).toContain(
      '- [A "guide"](https://media.example.com/docs/guides/a.md): It says: a.',
    )
  })
})

/** Derives the anchors of headings in the same way as the site generator. */
function anchorsOf(body: string): Set<string> {
  const seen = new Map<string, number>()
  const withoutCode = body.replace(/^```[\s\S]*?^```/gm, '')
  return new Set(
    [...withoutCode.matchAll(/^#{2,6} (.+)$/gm)].map(([, text = '']) => {
      const anchor = text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-')
      const count = seen.get(anchor) ?? 0
      seen.set(anchor, count + 1)
      return count === 0 ? anchor : `${anchor}-${count}`
    }),
  )
}
