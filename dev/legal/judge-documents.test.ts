import { expect, test } from 'vitest'
import { LEGAL_DOCUMENTS, listAccepted } from '../../edge/legal/rules/documents.ts'
import { LOCALES } from '../../shared/text/texts.ts'
import { judgeDocuments, listMissing } from './judge-documents.ts'
import { legalFolder, readLegalFolder } from './read-folder.ts'

const templates = readLegalFolder(legalFolder({}))
const own = templates.map((file) => ({ ...file, is_template: false, source: 'Written by a lawyer.' }))
const production: Parameters<typeof judgeDocuments>[1] = { environment: 'production', published: [] }
const problemsOf = (files: typeof own, facts = production) =>
  judgeDocuments(files, facts).map(({ problem }) => problem)

test('the repository has a template of every document in every language', () => {
  expect(templates).toHaveLength(LEGAL_DOCUMENTS.length * LOCALES.length)
  expect(listMissing(templates)).toEqual([])
  expect(templates.filter(({ is_template }) => !is_template)).toEqual([])
})

test('production accepts its own documents, and refuses each template', () => {
  expect(problemsOf(own)).toEqual([])
  expect(problemsOf(templates)).toHaveLength(12)
  expect(judgeDocuments(templates, { ...production, environment: 'staging' })).toEqual([])
})

test('production refuses a document whose placeholders are left', () => {
  const left = own.map((file) =>
    file.document === 'imprint' && file.locale === 'uk' ? { ...file, source: 'Ми — {{назва}}.' } : file,
  )
  expect(problemsOf(left)).toEqual([expect.stringContaining('imprint.uk.md')])
})

test.each(['production', 'staging'])('%s refuses a missing language', (environment) => {
  const files = own.filter(({ document, locale }) => document !== 'refunds' || locale !== 'ru')
  expect(problemsOf(files, { environment, published: [] })).toEqual(['lacks refunds.ru.md.'])
})

test('an earlier text does not replace a current one', () => {
  const files = own.map((file) => ({ ...file, is_current: file.document !== 'terms' }))
  expect(listMissing(files)).toEqual(['terms.en.md', 'terms.uk.md', 'terms.ru.md'])
})

test('production keeps each text that buyers have accepted', () => {
  const [terms] = listAccepted(templates, 'en')
  if (terms === undefined) throw new Error('there are no terms')
  const published = [{ ...terms, version: 'a1b2c3d4e5f6', is_current: true }]
  expect(problemsOf(own, { environment: 'production', published })).toEqual([
    expect.stringContaining('/terms/a1b2c3d4e5f6'),
  ])
  const kept = { ...own[0], ...terms, version: 'a1b2c3d4e5f6', is_current: false } as (typeof own)[number]
  expect(problemsOf([...own, kept], { environment: 'production', published })).toEqual([])
})
