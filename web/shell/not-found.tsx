import { Compass } from 'lucide-preact'
import { LinkButton } from '../design/button.tsx'
import { EmptyState } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { useTitle } from './title.ts'

const texts = defineTexts({
  en: {
    title: 'This page does not exist',
    text: 'The address may be mistyped, or the page was removed.',
    studio: 'Open the studio',
  },
  uk: {
    title: 'Такої сторінки немає',
    text: 'Можливо, в адресі помилка або сторінку видалено.',
    studio: 'Відкрити студію',
  },
  ru: {
    title: 'Такой страницы нет',
    text: 'Возможно, в адресе ошибка или страница удалена.',
    studio: 'Открыть студию',
  },
})

export default function NotFound() {
  const t = texts()
  useTitle(t.title)
  return (
    <main id="content" tabIndex={-1}>
      <EmptyState
        icon={<Compass size={40} aria-hidden />}
        title={t.title}
        isPage
        action={
          <LinkButton look="primary" href="/studio">
            {t.studio}
          </LinkButton>
        }
      >
        {t.text}
      </EmptyState>
    </main>
  )
}
