import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { LEGAL_DOCUMENTS, type LegalText, versionOf } from '../../edge/legal/rules/documents.ts'
import { LOCALES } from '../../shared/text/texts.ts'
import { ROOT } from '../system/root.ts'

/** Texts that buyers have accepted and that are no longer current. */
const EARLIER = 'earlier'

const FrontMatter = z.strictObject({
  title: z.string().min(1),
  /** Marks a text that a deployment must replace. */
  template: z.boolean().default(false),
})
const Name = z.tuple([z.enum(LEGAL_DOCUMENTS), z.enum(LOCALES), z.literal('md')])

/** A Markdown file of a deployment's folder of legal documents. */
export interface LegalFile extends LegalText {
  /** The file as it was written, whose hash is recorded. */
  source: string
  title: string
  is_template: boolean
  markdown: string
}

/** Returns the folder of this deployment. The default contains templates. */
export function legalFolder({ LEGAL_FOLDER }: NodeJS.ProcessEnv): string {
  return resolve(ROOT, LEGAL_FOLDER || 'legal')
}

/**
 * Reads all Markdown files of a folder: one for each document and language, and below `earlier/`, at any depth, those
 * that were replaced.
 * @throws Error that names a file that cannot be read
 */
export function readLegalFolder(folder: string): LegalFile[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const isEarlier = name.startsWith(`${EARLIER}/`)
      const base = isEarlier ? name.slice(name.lastIndexOf('/') + 1) : name
      return readText(join(folder, name), base, !isEarlier)
    })
}

function readText(file: string, base: string, is_current: boolean): LegalFile {
  const named = Name.safeParse(base.split('.')).data
  if (named === undefined) {
    throw new Error(
      `${file}: the name must be DOCUMENT.LANGUAGE.md, with one of ${LEGAL_DOCUMENTS.join(', ')} and one of ${LOCALES.join(', ')}.`,
    )
  }
  const [document, locale] = named
  const source = readFileSync(file, 'utf8')
  const [, front, markdown = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? []
  const { data, error } = FrontMatter.safeParse(front === undefined ? undefined : parse(front))
  if (data === undefined) {
    throw new Error(`${file}: begin with --- title: … --- and nothing else. ${z.prettifyError(error)}`)
  }
  const sha256 = createHash('sha256').update(source).digest('hex')
  const { title, template: is_template } = data
  return {
    document,
    locale,
    is_current,
    version: versionOf(sha256),
    sha256,
    source,
    title,
    is_template,
    markdown,
  }
}
