import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: { fault: 'This page has a fault. Your files and jobs are safe.', reload: 'Reload' },
  uk: { fault: 'На цій сторінці сталася помилка. Ваші файли й завдання збережено.', reload: 'Оновити' },
  ru: { fault: 'На этой странице произошла ошибка. Ваши файлы и задания сохранены.', reload: 'Обновить' },
})

/** Shows a notice instead of a page that fails to render. Header and footer stay. */
export function PageFault({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary((fault) => reportError(fault))
  if (error === undefined) return children
  const t = texts()
  return (
    <main id="content" tabIndex={-1}>
      <Notice kind="bad" action={<Button onClick={() => location.reload()}>{t.reload}</Button>}>
        {t.fault}
      </Notice>
    </main>
  )
}
