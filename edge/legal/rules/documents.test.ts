import { expect, test } from 'vitest'
import { LOCALES } from '../../../shared/text/texts.ts'
import { findCurrent, LEGAL_DOCUMENTS, type LegalText, listAccepted, termsVersionOf } from './documents.ts'

const textOf = (document: LegalText['document'], locale: LegalText['locale'], is_current: boolean) => ({
  ...{ document, locale, is_current },
  version: `${document}-${locale}-${is_current}`,
  sha256: `hash of ${document}-${locale}-${is_current}`,
})
const texts = [false, true].flatMap((is_current) =>
  LEGAL_DOCUMENTS.flatMap((document) => LOCALES.map((locale) => textOf(document, locale, is_current))),
)

test('buyers accept the current terms and refund rules in their language', () => {
  const accepted = listAccepted(texts, 'uk')
  expect(accepted).toEqual([
    {
      document: 'terms',
      locale: 'uk',
      version: 'terms-uk-true',
      sha256: 'hash of terms-uk-true',
    },
    {
      document: 'refunds',
      locale: 'uk',
      version: 'refunds-uk-true',
      sha256: 'hash of refunds-uk-true',
    },
  ])
  expect(termsVersionOf(accepted)).toBe('terms-uk-true')
})

test('a document without a current text is a defect of the build', () => {
  expect(() => findCurrent([textOf('terms', 'en', false)], 'terms', 'en')).toThrow('terms in en')
})
