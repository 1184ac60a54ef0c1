import { LinkButton } from '../design/button.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: { title: 'Videos and images, ready to use', open: 'Open the studio' },
  uk: { title: 'Відео та зображення, готові до використання', open: 'Відкрити студію' },
  ru: { title: 'Видео и изображения, готовые к использованию', open: 'Открыть студию' },
})

export default function Landing() {
  const t = texts()
  return (
    <Page title={t.title}>
      <LinkButton look="primary" href="/studio">
        {t.open}
      </LinkButton>
    </Page>
  )
}
