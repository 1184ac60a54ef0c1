import { isAccepted, LEGAL_DOCUMENTS, type LegalText, pathOf } from '../../edge/legal/rules/documents.ts'
import type { SettingFault } from '../../shared/settings/setting-rule.ts'
import { LOCALES } from '../../shared/text/texts.ts'
import type { LegalFile } from './read-folder.ts'

/** Places in templates that the deployment fills in. */
const PLACEHOLDER = /\{\{[^}]*\}\}/

type Judged = LegalText & Pick<LegalFile, 'is_template' | 'source'>

/** Lists the documents and languages without a current text, as names of files. */
export function listMissing(files: readonly LegalText[]): string[] {
  const current = new Set(files.filter(({ is_current }) => is_current).map(nameOf))
  const wanted = LEGAL_DOCUMENTS.flatMap((document) => LOCALES.map((locale) => nameOf({ document, locale })))
  return wanted.filter((name) => !current.has(name))
}

/**
 * Judges the documents of a deployment. Production must not sell under templates, nor lose a text that buyers have
 * accepted.
 * @param published the texts that the deployment shows now
 */
export function judgeDocuments(
  files: readonly Judged[],
  { environment, published }: { environment: string; published: readonly LegalText[] },
): SettingFault[] {
  const missing = listMissing(files).map((name) => fault(`lacks ${name}.`))
  if (environment !== 'production') return missing
  const current = files.filter(({ is_current }) => is_current)
  const templates = current.filter(({ is_template, source }) => is_template || PLACEHOLDER.test(source))
  const kept = new Set(files.map(pathOf))
  const lost = published.filter((text) => isAccepted(text) && !kept.has(pathOf(text)))
  return [
    ...missing,
    ...templates.map((file) =>
      fault(`has a template, ${nameOf(file)}. Replace its text, {{…}}, and "template: true".`),
    ),
    ...lost.map((text) =>
      fault(
        `lacks ${pathOf(text)}, which buyers have accepted. Move that version of ${nameOf(text)} to the folder "earlier".`,
      ),
    ),
  ]
}

function nameOf({ document, locale }: Pick<LegalText, 'document' | 'locale'>): string {
  return `${document}.${locale}.md`
}

function fault(problem: string): SettingFault {
  return { name: 'LEGAL_FOLDER', problem }
}
