import { z } from 'zod'
import { LOCALES, type Locale } from '../../../shared/text/texts.ts'

/** The documents of a deployment, in the order of their links. The first part of a page's path is its document. */
export const LEGAL_DOCUMENTS = ['terms', 'refunds', 'privacy', 'imprint'] as const
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number]

/** What a buyer accepts. The others only inform. Contract: Purchase rule 3. */
const ACCEPTED: readonly LegalDocument[] = ['terms', 'refunds']

/** One text of a document: a current one, or an earlier one that buyers have accepted. */
export const LegalText = z.object({
  document: z.enum(LEGAL_DOCUMENTS),
  locale: z.enum(LOCALES),
  /** Derived from the hash, so that a changed text has another version. */
  version: z.string(),
  /** SHA-256 of the Markdown file, in hexadecimal digits. */
  sha256: z.string(),
  is_current: z.boolean(),
})
export type LegalText = z.infer<typeof LegalText>

/** A text as it is stored with an order. */
export type AcceptedDocument = Omit<LegalText, 'is_current'>

const VERSION_DIGITS = 12

export function versionOf(sha256: string): string {
  return sha256.slice(0, VERSION_DIGITS)
}

export function isAccepted({ document }: Pick<LegalText, 'document'>): boolean {
  return ACCEPTED.includes(document)
}

/** Returns the current texts that a buyer accepts, in the language in which they were read. */
export function listAccepted(texts: readonly LegalText[], locale: Locale): AcceptedDocument[] {
  return ACCEPTED.map((document) => {
    const { is_current: _, ...accepted } = findCurrent(texts, document, locale)
    return accepted
  })
}

/** Returns the current text of a document. @throws Error if the build has none */
export function findCurrent(texts: readonly LegalText[], document: LegalDocument, locale: Locale): LegalText {
  const found = texts.find((text) => text.is_current && text.document === document && text.locale === locale)
  if (found === undefined) throw new Error(`there is no text of ${document} in ${locale}`)
  return found
}

/** Returns the version of the terms among accepted documents. */
export function termsVersionOf(accepted: readonly AcceptedDocument[]): string {
  return accepted.find(({ document }) => document === 'terms')?.version ?? ''
}

/** Returns the permanent address of a text, below the URL of the service. */
export function pathOf({ document, version }: Pick<LegalText, 'document' | 'version'>): string {
  return `/${document}/${version}`
}
