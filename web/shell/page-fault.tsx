import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { isOnline } from './offline.tsx'

const texts = defineTexts({
  en: {
    fault: 'This page has a fault. Your files and jobs are safe.',
    missing: 'This page could not be loaded. Check your connection. Your files and jobs are safe.',
    offline: 'This page is not loaded yet, and you are offline. It opens when the connection is back.',
    reload: 'Reload',
  },
  uk: {
    fault: 'На цій сторінці сталася помилка. Ваші файли й завдання збережено.',
    missing: 'Не вдалося завантажити цю сторінку. Перевірте з’єднання. Ваші файли й завдання збережено.',
    offline: 'Цю сторінку ще не завантажено, а з’єднання немає. Вона відкриється, коли воно відновиться.',
    reload: 'Оновити',
  },
  ru: {
    fault: 'На этой странице произошла ошибка. Ваши файлы и задания сохранены.',
    missing: 'Не удалось загрузить эту страницу. Проверьте соединение. Ваши файлы и задания сохранены.',
    offline: 'Эта страница ещё не загружена, а соединения нет. Она откроется, когда оно восстановится.',
    reload: 'Обновить',
  },
})

/** Browsers report a script that did not load as a TypeError, each with a text of its own. */
const MISSING_SCRIPT = /dynamically imported module|importing a module script|preload CSS/i

/** Shows a notice instead of a page that fails to load or to render. Header and footer stay. */
export function PageFault({ children }: { children: ComponentChildren }) {
  const { path } = useLocation()
  const [error, reset] = useErrorBoundary((fault) => {
    if (!isMissing(fault)) reportError(fault)
  })
  // Another page may work.
  useEffect(reset, [path])
  return error === undefined ? children : <Fault isMissing={isMissing(error)} />
}

const isMissing = (fault: unknown) => fault instanceof Error && MISSING_SCRIPT.test(fault.message)

function Fault({ isMissing: is_missing }: { isMissing: boolean }) {
  const t = texts()
  const text = is_missing ? (isOnline.value ? t.missing : t.offline) : t.fault
  useEffect(() => {
    if (!is_missing) return
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [is_missing])
  return (
    <main id="content" tabIndex={-1}>
      <Notice kind="bad" action={<Button onClick={() => location.reload()}>{t.reload}</Button>}>
        {text}
      </Notice>
    </main>
  )
}
