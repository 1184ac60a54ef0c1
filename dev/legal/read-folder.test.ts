import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { legalFolder, readLegalFolder } from './read-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'media-legal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const TEXT = '---\ntitle: Terms\n---\n\nOne.\n'

test('a text has the hash of its file, and a version of its content', () => {
  write('terms.en.md', TEXT)
  const [before] = readLegalFolder(folder)
  const sha256 = createHash('sha256').update(TEXT).digest('hex')
  expect(before).toMatchObject({ document: 'terms', locale: 'en', title: 'Terms', sha256, is_current: true })
  expect(sha256).toMatch(new RegExp(`^${before?.version}`))
  write('terms.en.md', TEXT.replace('One', 'Two'))
  expect(readLegalFolder(folder)[0]?.version).not.toBe(before?.version)
})

test('texts below "earlier" are no longer current', () => {
  mkdirSync(join(folder, 'earlier/2026'), { recursive: true })
  write('earlier/2026/terms.en.md', TEXT)
  expect(readLegalFolder(folder)).toMatchObject([{ document: 'terms', is_current: false }])
})

test.each([
  ['another name', 'conditions.en.md', TEXT],
  ['another language', 'terms.fr.md', TEXT],
  ['no title', 'terms.en.md', 'One.\n'],
  ['an unknown field', 'terms.en.md', TEXT.replace('title', 'author: Ada\ntitle')],
])('a file with %s is refused by its name', (_, name, text) => {
  write(name, text)
  expect(() => readLegalFolder(folder)).toThrow(name)
})

test('a deployment names its own folder', () => {
  expect(legalFolder({ LEGAL_FOLDER: folder })).toBe(folder)
  expect(legalFolder({})).toMatch(/legal$/)
})
