import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({ en: { title: 'Studio' }, uk: { title: 'Студія' }, ru: { title: 'Студия' } })

export default function Studio() {
  return <Page title={texts().title}>…</Page>
}
