import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { LEGAL_DOCUMENTS } from '../../edge/legal/rules/documents.ts'
import { LOCALES } from '../../shared/text/texts.ts'
import { ROOT } from '../system/root.ts'

test('the command refuses to deploy production with templates, before it changes or builds anything', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['dev/deploy.ts', 'production', '--dry-run'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, LEGAL_FOLDER: '' } },
  )
  expect([status, stdout], stderr).toEqual([1, ''])
  for (const document of LEGAL_DOCUMENTS) {
    for (const locale of LOCALES) {
      expect(stderr).toContain(`LEGAL_FOLDER has a template, ${document}.${locale}.md`)
    }
  }
})
