import { expect, test } from 'vitest'
import {
  countMatches,
  listCitations,
  listHeadings,
  listRules,
  readContract,
  readSources,
} from './contract.ts'

const pages = readContract()
const headings = [...pages.values()].flatMap(listHeadings)
const sources = readSources()

test('every citation matches exactly one heading of docs/contract', () => {
  const citations = sources.flatMap(([file, text]) => [
    ...listCitations(file, text),
    ...listRules(file, text),
  ])
  const unresolved = citations.flatMap(({ place, cited }) => {
    const count = countMatches(headings, cited)
    return count === 1 ? [] : [`${place}: ${count === 0 ? 'no heading' : `${count} headings`}: ${cited}`]
  })
  expect(unresolved).toEqual([])
  expect(citations.length).toBeGreaterThan(200)
})

test('no comment cites a document outside the repository', () => {
  const outside = /[Ss]pecification[:,]|[Oo]pen[ -]names\b/
  expect(sources.filter(([, text]) => outside.test(text)).map(([file]) => file)).toEqual([])
})

test('parses citations of several lines and several headings', () => {
  const text = `/**
 * Settles. Contract: Jobs, Job
 * states; Errors.
 */`
  expect(listCitations('a.ts', text)).toEqual([
    { place: 'a.ts:2', cited: 'Jobs, Job states' },
    { place: 'a.ts:2', cited: 'Errors' },
  ])
})

test('the index lists every page', () => {
  const index = pages.get('README.md') ?? ''
  const linked = [...index.matchAll(/^\| \[([a-z-]+\.md)\]\(\1\)/gm)].map(([, name = '']) => name)
  expect(linked.toSorted()).toEqual([...pages.keys()].filter((name) => name !== 'README.md'))
})

test.each([...pages])('the links of %s resolve', (_name, page) => {
  const broken = [...page.matchAll(/\]\(([a-z-]+\.md)(?:#([a-z0-9-]+))?\)/g)].filter(
    ([, file = '', anchor]) => {
      const target = pages.get(file)
      return target === undefined || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    },
  )
  expect(broken.map(([link]) => link)).toEqual([])
})

test.each([...pages])('all rows of a table have the same number of cells: %s', (_name, page) => {
  const tables = page.split(/^(?!\|).*$/m).filter((part) => part.includes('|'))
  const count = (row: string) => row.replaceAll('\\|', '').split('|').length
  const uneven = tables.filter((table) => new Set(table.trim().split('\n').map(count)).size > 1)
  expect(uneven).toEqual([])
  expect(tables.filter((table) => !/^\|( -+ \|)+$/m.test(table))).toEqual([])
})

function anchorsOf(page: string): string[] {
  const titles = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  )
}
