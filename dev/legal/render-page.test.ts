import { expect, test } from 'vitest'
import { type LegalFile, legalFolder, readLegalFolder } from './read-folder.ts'
import { renderLegalPage } from './render-page.ts'

const templates = readLegalFolder(legalFolder({}))
const [template] = templates
if (template === undefined) throw new Error('there are no templates')
const render = (changed: Partial<LegalFile>) => renderLegalPage({ ...template, ...changed }, [])

test('code in a document is shown as text', () => {
  const html = render({
    title: '<b>Terms</b>',
    markdown: '<script>alert(1)</script>\n\n[a](javascript:alert(1)) <img src=x onerror=alert(1)>\n',
  })
  expect(html).not.toMatch(/<script|<b>|<img src=x|href="javascript/)
  expect(html).toContain('&lt;script&gt;')
})

test.each(templates)('the template of $document in $locale says so on its page', (file) => {
  const html = renderLegalPage(file, ['app/a.css'])
  expect(html).toContain(`<html lang="${file.locale}">`)
  expect(html).toContain('class="notice"')
  expect(html).toContain(file.sha256)
  expect(html).not.toMatch(/ style=|<style|<script/)
  for (const document of ['terms', 'refunds', 'privacy', 'imprint']) {
    expect(html).toContain(`href="/${document}?lang=${file.locale}"`)
  }
})

test('a document of the deployment has no notice, and an earlier one leads to the current one', () => {
  expect(render({ is_template: false })).not.toContain('class="notice"')
  const earlier = render({ is_template: false, is_current: false, document: 'terms', locale: 'uk' })
  expect(earlier).toMatch(/class="notice".*href="\/terms\?lang=uk"/)
})

test.each(templates.filter(({ document }) => document === 'refunds'))(
  'the model form for withdrawal is on the page in $locale',
  (file) => {
    const html = renderLegalPage(file, [])
    const form = /<blockquote>([\s\S]*)<\/blockquote>/.exec(html)?.[1] ?? ''
    // The fields of Annex I (B) of Directive 2011/83/EU: addressee, declaration, and six to fill in.
    expect(form.match(/<p>/g)).toHaveLength(8)
    expect(html).toContain(`href="/billing/withdraw?lang=${file.locale}"`)
  },
)
